"""The parts of a worker, so that workers that differ have different digests. Source: the protocol, "The claim"."""
from __future__ import annotations

import csv
import hashlib
import importlib.metadata
import os
import platform
import re
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

_LONGEST = 200  # bytes of a name or a version
_MOST = 200  # lines


def parts_text() -> str:
    """Returns a line "SHA256  NAME  VERSION" for the interpreter, for each installed distribution with an imported module, and
    for each imported module or package that is in none: those imported by now.

    The digest of a distribution is that of its list of installed files, which holds theirs; without such a list it is of all
    files of its packages, and for a package that is in no distribution of its imported files, as `sha256sum` lists them.
    """
    lines = [_line(_digest_of_file(sys.executable), os.path.basename(sys.executable), platform.python_version())]
    installed, elsewhere = _imported()
    lines += [_line(digest, name, version) for name, version, digest in installed]
    for name, files in sorted(elsewhere.items()):
        version = getattr(sys.modules.get(name), "__version__", "")
        lines.append(_line(_digest_of_files(files), _title(name, files), version if isinstance(version, str) else ""))
    lines = list(dict.fromkeys(lines))  # one archive may hold many packages
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
    """Returns the distributions (name, version, digest), and the files of modules that are in none, by their first name."""
    paths = sysconfig.get_paths()
    standard = {os.path.realpath(paths[key]) for key in ("stdlib", "platstdlib")}
    elsewhere: dict[str, list[str]] = {}
    inside: dict[str, dict[str, str]] = {}  # by the folder that distributions are installed in: each file's module
    for name, module in sorted(sys.modules.items()):
        path = _file_of(module)
        if path is None:
            continue
        first = name.split(".", 1)[0]
        site = next((part for part in ("site-packages", "dist-packages") if f"{os.sep}{part}{os.sep}" in path), None)
        if site is not None:
            end = path.rindex(f"{os.sep}{site}{os.sep}") + len(site) + 1
            inside.setdefault(path[:end], {})[os.path.relpath(path, path[:end])] = first
        elif not any(path.startswith(folder + os.sep) for folder in standard):
            elsewhere.setdefault(first, []).append(path)
    found: list[tuple[str, str, str]] = []
    for folder, modules in sorted(inside.items()):
        held = _distributions(folder, set(modules), found)
        for path in modules.keys() - held:
            elsewhere.setdefault(modules[path], []).append(os.path.join(folder, path))
    return sorted(set(found)), {name: sorted(set(files)) for name, files in elsewhere.items()}


def _file_of(module: ModuleType) -> str | None:
    """Returns the file of a module, or the archive that it is in."""
    path = getattr(module, "__file__", None)
    places = (path, *map(str, Path(path).parents)) if isinstance(path, str) else ()
    return next((os.path.realpath(place) for place in places if os.path.isfile(place)), None)


def _distributions(folder: str, imported: set[str], found: list[tuple[str, str, str]]) -> set[str]:
    """Adds to `found` the distributions in `folder` that hold one of the files `imported`; returns those that they hold.

    One that has no list of its files with their digests holds the files of its modules and packages that are in no such list.
    """
    listed: set[str] = set()
    unlisted = []
    for each in importlib.metadata.distributions(path=[folder]):
        text = each.read_text("RECORD") or ""
        files = {row[0] for row in csv.reader(text.splitlines()) if len(row) > 1 and row[1]}
        listed |= files
        if files & imported and each.metadata["Name"]:
            found.append((each.metadata["Name"], each.metadata["Version"] or "", _digest(text)))
        elif not files and each.metadata["Name"]:
            unlisted.append(each)
    held = listed & imported
    for each in unlisted:
        tops = set((each.read_text("top_level.txt") or re.sub("[-.]", "_", each.metadata["Name"])).split())
        files = {path for path in imported - listed if re.split(r"[/.]", path, maxsplit=1)[0] in tops}
        if files:
            held |= files
            paths = [os.path.join(folder, path) for path in files | _files_in(folder, tops) - listed]
            found.append((each.metadata["Name"], each.metadata["Version"] or "", _digest_of_files(paths)))
    return held


def _files_in(folder: str, packages: Iterable[str]) -> set[str]:
    """Returns the files of these packages in `folder`, without what Python writes there itself."""
    walks = [os.walk(os.path.join(folder, package)) for package in packages]
    return {os.path.relpath(os.path.join(place, name), folder) for walk in walks for place, _, names in walk
            for name in names if not name.endswith(".pyc")}
