"""The parts of a worker, so that workers that differ have different digests. Source: the protocol, "The claim"."""
from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import sys
import sysconfig
from collections.abc import Iterable
from types import ModuleType

_LONGEST = 200  # bytes of a name or a version
_MOST = 200  # lines


def parts_text() -> str:
    """Returns a line "SHA256  NAME  VERSION" for the interpreter, for each installed distribution with an imported module, and
    for each imported module or package from elsewhere: those imported by now.

    The digest of a distribution is that of its list of installed files, which holds theirs; that of a package is of its
    imported files, as `sha256sum` lists them.
    """
    lines = [_line(_digest_of_file(sys.executable), os.path.basename(sys.executable), platform.python_version())]
    installed, elsewhere = _imported()
    lines += [_line(_digest(text), name, version) for name, version, text in installed]
    for name, files in sorted(elsewhere.items()):
        version = getattr(sys.modules.get(name), "__version__", "")
        lines.append(_line(_digest_of_files(files), _title(name, files), version if isinstance(version, str) else ""))
    if len(lines) > _MOST:
        rest = lines[_MOST - 1:]
        lines[_MOST - 1:] = [_line(_digest("\n".join(rest)), f"and {len(rest)} more")]
    return "\n".join(lines)


def _line(digest: str, name: str, version: str = "") -> str:
    words = [" ".join(word.split()).encode(errors="replace")[:_LONGEST].decode(errors="ignore") for word in (name, version)]
    return "  ".join([digest, *filter(None, words)])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()


def _digest_of_file(path: str) -> str:
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError:  # an archive, or gone by now: only its path is known
        return _digest(path)
    return digest.hexdigest()


def _digest_of_files(files: list[str]) -> str:
    if len(files) == 1:
        return _digest_of_file(files[0])
    folder = os.path.commonpath([os.path.dirname(file) for file in files])
    return _digest("".join(f"{_digest_of_file(file)}  {os.path.relpath(file, folder)}\n" for file in sorted(files)))


def _title(name: str, files: list[str]) -> str:
    """Returns the package's name, or that of a file that was started directly or loaded by its path."""
    return os.path.basename(files[0]) if len(files) == 1 else name


def _imported() -> tuple[list[tuple[str, str, str]], dict[str, list[str]]]:
    """Returns the distributions (name, version, list of files), and the files of modules from elsewhere, by their first name."""
    paths = sysconfig.get_paths()
    standard = {os.path.realpath(paths[key]) for key in ("stdlib", "platstdlib")}
    elsewhere: dict[str, list[str]] = {}
    named: dict[str, list[str]] = {}  # by the folder that distributions are installed in: the names of its modules
    for name, module in sorted(sys.modules.items()):
        path = _file_of(module)
        if path is None:
            continue
        site = next((part for part in ("site-packages", "dist-packages") if f"{os.sep}{part}{os.sep}" in path), None)
        if site is not None:
            end = path.rindex(f"{os.sep}{site}{os.sep}") + len(site) + 1
            named.setdefault(path[:end], []).append(os.path.relpath(path, path[:end]).split(os.sep, 1)[0])
        elif not any(path.startswith(folder + os.sep) for folder in standard):
            elsewhere.setdefault(name.split(".", 1)[0], []).append(path)
    found = [each for folder, names in sorted(named.items()) for each in _distributions(folder, set(names))]
    return sorted(set(found)), {name: sorted(set(files)) for name, files in elsewhere.items()}


def _file_of(module: ModuleType) -> str | None:
    path = getattr(module, "__file__", None)
    return os.path.realpath(path) if isinstance(path, str) and os.path.isfile(path) else None


def _distributions(folder: str, names: set[str]) -> Iterable[tuple[str, str, str]]:
    """Returns the distributions in `folder` that installed one of the files and packages `names`."""
    for each in importlib.metadata.distributions(path=[folder]):
        text = each.read_text("RECORD") or each.read_text("SOURCES.txt") or ""
        tops = {line.split(",", 1)[0].split("/", 1)[0] for line in text.splitlines()}
        if names & tops and each.metadata["Name"]:
            yield each.metadata["Name"], each.metadata["Version"] or "", text
