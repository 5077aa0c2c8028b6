#!/usr/bin/env python3
"""Runs clang-tidy over every C and C++ file that the build compiles, and keeps the findings until something changes.

    lint_tidy.py CLANG_TIDY ROOT BUILD [FILE...]
                                   prints the findings; exit code 1 if there is one, 3 if clang-tidy itself failed

The result of a file is kept in BUILD/lint, with a digest of everything that clang-tidy reads for the file: the file and the
tree's files that the file includes, its compile command, .clang-tidy, and the versions of clang-tidy, of the compiler and
of the installed headers.
"""
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Any quoted name of a file: `#include "x.hpp"`, and macros that are included later.
QUOTED_FILE = re.compile(r'"([^"\n]+\.(?:h|hpp|inc|c|cpp))"')
# Options of g++ that clang-tidy takes for errors.
FOREIGN_OPTIONS = re.compile(r" -fno-gnu-unique\b")
FINDING = re.compile(r"^[^\s:][^:]*:\d+:\d+: (?:warning|error): ")


class Sources:
    """The files of the tree, with the digest of what each of them includes."""

    def __init__(self, root):
        self.root = root
        self._read = {}

    def _content(self, path):
        """Returns the digest of a file, and the files of the tree that the file names."""
        if path not in self._read:
            data = path.read_bytes()
            named = []
            for name in QUOTED_FILE.findall(data.decode("utf-8", "replace")):
                for folder in (path.parent, self.root, self.root / "backends/plugin"):
                    if (folder / name).is_file():
                        named.append((folder / name).resolve())
            self._read[path] = hashlib.sha256(data).hexdigest(), named
        return self._read[path]

    def digest(self, path):
        """Returns a digest of the file and of every file that it includes, directly or not."""
        waiting, seen = [path], set()
        while waiting:
            current = waiting.pop()
            if current not in seen:
                seen.add(current)
                waiting += self._content(current)[1]
        lines = [f"{self._content(found)[0]} {found.relative_to(self.root)}\n" for found in sorted(seen)]
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except FileNotFoundError:
        return ""  # a system without Debian's packages


def database(build):
    """Returns the compile commands, without what clang-tidy does not know."""
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    return [entry | {"command": FOREIGN_OPTIONS.sub("", entry["command"])} for entry in entries]


def commands(root, build):
    """Returns the first compile command of each file of the tree, without the files that the build makes."""
    found: dict[Path, str] = {}
    for entry in database(build):
        path = Path(entry["directory"], entry["file"]).resolve()
        if path.is_relative_to(root) and not path.is_relative_to(build):
            found.setdefault(path, entry["command"])
    return found


class Tidy:
    """One run of clang-tidy over several files."""

    def __init__(self, program, root, build):
        self.program, self.root, self.build = program, root, build
        self.kept = build / "lint"
        includes = self.kept / "include"
        includes.mkdir(parents=True, exist_ok=True)
        # clang-tidy comes without omp.h, so it takes the compiler's; next to that header are others that fit only the compiler.
        header = Path(output_of("c++", "-print-file-name=include").strip(), "omp.h")
        if header.is_file() and not (includes / "omp.h").exists():
            (includes / "omp.h").symlink_to(header)
        (self.kept / "compile_commands.json").write_text(json.dumps(database(build)), encoding="utf-8")
        self.includes = f"--extra-arg=-idirafter{includes}"
        self.sources = Sources(root)
        tools = [output_of(program, "--version"), output_of("c++", "--version"), output_of("dpkg-query", "-W", "*-dev"),
                 (root / ".clang-tidy").read_text(encoding="utf-8"), self.includes]
        self.tools = hashlib.sha256("\0".join(tools).encode()).hexdigest()

    def findings(self, path, command):
        """Returns clang-tidy's findings on a file, and an error if clang-tidy could not be run."""
        key = hashlib.sha256(f"{self.sources.digest(path)} {command} {self.tools}".encode()).hexdigest()
        name = path.relative_to(self.root)
        kept = self.kept / f"{str(name).replace('/', '__')}.txt"
        if kept.is_file():
            first, _, text = kept.read_text(encoding="utf-8").partition("\n")
            if first == key:
                return text, ""
        done = subprocess.run([self.program, "-p", str(self.kept), "--quiet", self.includes, str(path)], cwd=self.root, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        text = done.stdout.replace(f"{self.root}/", "")
        if done.returncode != 0 and not text:
            return "", f"{name}: clang-tidy ended with {done.returncode}: {done.stderr.strip()}"
        written = kept.with_suffix(".new")
        written.write_text(f"{key}\n{text}", encoding="utf-8")
        written.replace(kept)
        return text, ""


def blocks(text):
    """Yields each finding with the lines that explain it."""
    block: list[str] = []
    for line in text.splitlines():
        if FINDING.match(line) and block:
            yield "\n".join(block)
            block = []
        if line:
            block.append(line)
    if block:
        yield "\n".join(block)


def main(arguments):
    if len(arguments) < 3:
        print("usage: lint_tidy.py CLANG_TIDY ROOT BUILD [FILE...]", file=sys.stderr)
        return 2
    root, build = Path(arguments[1]).resolve(), Path(arguments[2]).resolve()
    chosen = {Path(name).resolve() for name in arguments[3:]}
    tidy = Tidy(arguments[0], root, build)
    files = [entry for entry in commands(root, build).items() if not chosen or entry[0] in chosen]
    printed, errors = set(), 0
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        for text, error in pool.map(lambda entry: tidy.findings(*entry), files):
            for block in blocks(text):
                if block not in printed:  # each file that includes a header repeats the header's findings
                    printed.add(block)
                    print(block, flush=True)
            if error:
                errors += 1
                print(error, file=sys.stderr, flush=True)
    print(f"clang-tidy: {len(files)} files, {len(printed)} findings")
    return 3 if errors else 1 if printed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
