#!/usr/bin/env python3
"""environments.py FOLDER [NAME...] [--table FILE]: lists private Python environments, or makes those named, as FOLDER/NAME.

The table is adapters.txt next to this file, with its lines `environment NAME DISK DOWNLOAD MODULE REQUIREMENT...`. An environment
that has these requirements already is left as it is, and nothing is fetched. `certile environments` and ./dev start this program.
Exit codes: 0 done, 2 there is no such environment, 3 one could not be made.
"""
import argparse
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Environment:
    name: str
    disk: int  # megabytes
    download: int
    packages: list  # of Debian
    requirements: list  # of pip
    runtimes: list  # the names of adapters

    def words(self):
        return [f"debian:{package}" for package in self.packages] + self.requirements


def read_table(path):
    """Returns the environments of a table, by name, in its order."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, *words = line.split() or [""]
        if kind == "environment":
            name, disk, download, _, *wanted = words
            packages = [word.removeprefix("debian:") for word in wanted if word.startswith("debian:")]
            found[name] = Environment(name, int(disk), int(download), packages,
                                      [word for word in wanted if not word.startswith("debian:")], [])
        elif kind == "adapter":
            found[words[1]].runtimes.append(words[0])
    return found


def is_made(folder, environment):
    """Returns true if the environment is there with all its requirements: `installed` is written last."""
    stamp = folder / environment.name / "installed"
    return stamp.is_file() and stamp.read_text(encoding="utf-8").split() == environment.words()


class Failure(Exception):
    """A sentence for the user."""


def run(words):
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        end = "\n".join(done.stdout.splitlines()[-20:])
        raise Failure(f"{end}\nthis failed: {shlex.join(map(str, words))}")


def is_installed(package):
    query = ["dpkg-query", "-W", "-f", "${db:Status-Status}", package]
    return bool(shutil.which(query[0])) and subprocess.run(query, capture_output=True, text=True, check=False).stdout == "installed"


def make(folder, environment):
    """Makes an environment, or brings it up to date. Raises Failure."""
    place = folder / environment.name
    if is_made(folder, environment):
        print(f"{environment.name} is there already: {place}")
        return
    print(f"making {environment.name}: {environment.download} MB to download, about {environment.disk} MB of disk in {place}",
          flush=True)
    missing = [package for package in environment.packages if not is_installed(package)]
    if missing:
        raise Failure("it needs a package of Debian: apt-get install " + " ".join(missing))
    # Only Debian's Python sees Debian's packages.
    python, options = ("/usr/bin/python3", ["--system-site-packages"]) if environment.packages else (sys.executable, [])
    (place / "installed").unlink(missing_ok=True)
    if not (place / "bin/python").exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        run([python, "-m", "venv", *options, place])
    if environment.requirements:
        run([place / "bin/python", "-m", "pip", "install", "--disable-pip-version-check", *environment.requirements])
    (place / "installed").write_text(" ".join(environment.words()) + "\n", encoding="utf-8")
    if environment.runtimes:
        print(f"made: certile certify {environment.runtimes[0]}")


def show(folder, environments):
    print(f"private environments of runtimes, in {folder}")
    for each in environments.values():
        cost = "made" if is_made(folder, each) else f"{each.download} MB to download, {each.disk} MB of disk"
        print(f"  {each.name:12} {cost:40} {' '.join(each.words())}")
        others = [name for name in each.runtimes if name != each.name]
        if others:
            print(f"  {'':12} also for {' '.join(others)}")


def main(arguments):
    parser = argparse.ArgumentParser(prog="environments.py")
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--table", type=Path, default=Path(__file__).resolve().parent / "adapters.txt")
    options = parser.parse_args(arguments)
    environments = read_table(options.table)
    owners = {runtime: each.name for each in environments.values() for runtime in each.runtimes}
    if not options.names:
        show(options.folder, environments)
    for name in options.names:
        environment = environments.get(owners.get(name, name))
        if environment is None:
            print(f"certile: there is no environment '{name}'; there are {', '.join(environments)}", file=sys.stderr)
            return 2
        try:
            make(options.folder, environment)
        except (Failure, OSError) as why:
            print(f"certile: {environment.name} could not be made: {why}", file=sys.stderr)
            return 3
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as when the list is piped into head
    sys.exit(main(sys.argv[1:]))
