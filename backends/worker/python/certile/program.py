"""Runs the program `certile` on a backend and reads its findings."""
from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .records import BackendRun, Record, read_records

if TYPE_CHECKING:
    from .backends import Backend


@dataclass(frozen=True, repr=False)
class Certification:
    """A run of `certile certify`: its exit code, its output, and its findings on each backend. print() shows the report.

    Exit codes: 0 conformant; 1 not, or not finished; 2 wrong command line; 3 certile itself failed; 4 a backend could not
    be started; 5 nothing was run; 130 interrupted.
    """
    exit_code: int
    report: str
    diagnostics: str
    runs: list[BackendRun]

    @property
    def conformant(self) -> bool:
        """Returns true if every backend is conformant."""
        return self.exit_code == 0

    def failures(self) -> list[Record]:
        """Returns the failures of all backends."""
        return [record for run in self.runs for record in run.failures()]

    def __str__(self) -> str:
        return self.report or self.diagnostics

    def __repr__(self) -> str:
        return f"<Certification with exit code {self.exit_code}: {self.runs}>"


def find_program() -> Path:
    """Returns the program: $CERTILE, or the one installed with this package, or the one that PATH finds, or the build of the
    source tree that contains this package.

    Raises FileNotFoundError, with what to do.
    """
    said = os.environ.get("CERTILE")
    installed = Path(sysconfig.get_path("scripts")) / "certile"
    found = said or (installed if installed.is_file() else shutil.which("certile"))
    built = Path(__file__).resolve().parents[4] / "build" / "dev" / "bin" / "certile"
    program = Path(found) if found else built
    if not program.is_file():
        raise FileNotFoundError(f"there is no program {program}, which the environment names CERTILE" if said else
                                "there is no program certile: install its wheel (pip install certile), put it on PATH, or name "
                                "it in the environment: CERTILE=/…/bin/certile")
    return program


def include_dir() -> Path:
    """Returns the folder of certile_plugin.h: that of the source tree that contains this package, or of the installation.

    Raises FileNotFoundError if it is not there.
    """
    folder = Path(__file__).resolve().parents[3] / "plugin"
    if not folder.is_dir():
        folder = find_program().resolve().parents[1] / "include" / "certile"
    if not (folder / "certile_plugin.h").is_file():
        raise FileNotFoundError(f"{folder} has no certile_plugin.h")
    return folder


def spelling_of(backend: str | Backend) -> str:
    """Returns certile's spelling of a backend: FILE.py:NAME and MODULE:NAME become the worker that serves it.

    A Backend has to be a name of an imported module. Every other text is returned unchanged: a built-in name, a path of a
    library, worker:COMMAND. Raises LookupError if the Backend has no name.
    """
    if not isinstance(backend, str):
        backend = _name_of(backend)
    if not re.fullmatch(r"(?!worker:)(?:.+\.py|[\w.]+):\w+", backend):
        return backend
    return "worker:" + shlex.join([sys.executable, "-m", "certile", "serve", backend])


def _name_of(backend: Backend) -> str:
    for module in list(sys.modules.values()):
        path = getattr(module, "__file__", None)
        for name, value in list(vars(module).items()) if path else ():
            if value is backend:
                return f"{os.path.abspath(str(path))}:{name}"
    raise LookupError(f"{backend!r} is no name of a module, so a worker could not find it")


def certify(*backends: str | Backend, tier: str = "core", arguments: Sequence[str] = (),
            program: Path | None = None, records: Path | None = None) -> Certification:
    """Certifies backends, each in a form that `spelling_of` takes, and waits for the end.

    `arguments` are further options of `certile certify`. `records`: the path at which the file of records is kept; none by
    default. Raises FileNotFoundError if there is no program; a backend that fails raises nothing.
    """
    if records is None:
        with tempfile.TemporaryDirectory(prefix="certile-") as folder:
            return certify(*backends, tier=tier, arguments=arguments, program=program, records=Path(folder) / "records.jsonl")
    command = [str(program or find_program()), "certify", *map(spelling_of, backends), "--tier", tier,
               "--records", str(records), *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    runs = read_records(records) if records.is_file() else []
    return Certification(done.returncode, done.stdout, done.stderr, runs)
