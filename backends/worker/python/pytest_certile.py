"""The pytest plugin: certile's verdict on a backend, as tests.

    pytest --certile-backend=mine.py:tile [--certile-tier=smoke]

certile runs once; then each clause it asked about is a test for each element type, named `certile[NAME]::CLAUSE[TYPE]`, and
one more, `certile[NAME]::verdict`, passes if `certile certify` would end with exit code 0. A test fails if a case is
charged to its clause, with the smallest such literal, what was expected and observed, and the command that shows it again. It
is skipped if nothing could pass: outside the claim, left open by the text, or every case failed by another clause.
`-m certile` and `-k` choose among them.

This module is not in the package, because pytest loads it in every session, and the package loads NumPy.
"""
from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from certile import BackendRun, Certification, Record

Group = list["Record"]
SHOWN = 3  # failing cases in a test's text


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options; without --certile-backend nothing happens."""
    group = parser.getgroup("certile", "certify implementations of the tensor operator Tile")
    group.addoption("--certile-backend", action="append", default=[], metavar="BACKEND",
                    help="FILE.py:NAME or MODULE:NAME of a @certile.backend, or what certile calls it: a built-in name, the "
                         "path of a library, worker:COMMAND. May be repeated")
    group.addoption("--certile-tier", default="smoke", metavar="NAME", help="how much is asked: smoke (default), core, full")
    group.addoption("--certile-arguments", default="", metavar="WORDS", help="further options of `certile certify`, in one word")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the marker of all of these tests."""
    config.addinivalue_line("markers", "certile: a clause of the specification of Tile, judged by certile")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Returns a line about the coming run."""
    backends = config.getoption("certile_backend")
    return f"certile: tier {config.getoption('certile_tier')} of {', '.join(backends)}" if backends else None


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Runs certile here under xdist; each process reads the records."""
    if node.config.getoption("certile_backend"):
        node.workerinput["certile_records"] = str(_records(node.config))


@pytest.hookimpl(tryfirst=True)  # before -k and -m choose
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Adds the tests of each backend, after those that were collected."""
    if not config.getoption("certile_backend"):
        return
    from certile import read_records  # pylint: disable=import-outside-toplevel, see above
    for run in read_records(_records(config)):
        items.extend(_collected(BackendTests.from_parent(session, name=run.name, run=run)))


def _collected(tests: BackendTests) -> list[pytest.Item]:
    """Collects as pytest does, so that pytest counts the tests."""
    tests.ihook.pytest_collectstart(collector=tests)
    report = tests.ihook.pytest_make_collect_report(collector=tests)
    for item in report.result:
        tests.ihook.pytest_itemcollected(item=item)
    tests.ihook.pytest_collectreport(report=report)
    return list(report.result)


_KEY = pytest.StashKey[Path]()


def _records(config: pytest.Config) -> Path:
    """Returns the file of records, made by one run of certile in the whole session."""
    given = getattr(config, "workerinput", {}).get("certile_records")
    if given:
        return Path(given)
    if _KEY not in config.stash:
        folder = tempfile.TemporaryDirectory(prefix="certile-")  # pylint: disable=consider-using-with
        config.add_cleanup(folder.cleanup)
        config.stash[_KEY] = Path(folder.name) / "records.jsonl"
        _run(config, config.stash[_KEY])
    return config.stash[_KEY]


def _run(config: pytest.Config, records: Path) -> Certification:
    """Runs certile. Raises UsageError, pytest's exit code 4, if there is nothing to judge: no program, no such backend, no start."""
    from certile import certify  # pylint: disable=import-outside-toplevel, see above
    try:
        done = certify(*config.getoption("certile_backend"), tier=config.getoption("certile_tier"), records=records,
                       arguments=shlex.split(config.getoption("certile_arguments")))
    except (OSError, ValueError) as why:
        raise pytest.UsageError(f"certile: {why}") from why
    if done.exit_code not in (0, 1, 5):
        raise pytest.UsageError(f"certile ended with exit code {done.exit_code}:\n{done.diagnostics.strip()}")
    return done


class BackendTests(pytest.Collector):
    """The tests of one backend."""

    def __init__(self, *, run: BackendRun, **named: Any) -> None:
        super().__init__(nodeid=f"certile[{named['name']}]", **named)
        self.run = run

    def collect(self) -> list[pytest.Item]:
        """Returns the verdict, and a test for each clause and type, in the order of the plan."""
        tests: list[pytest.Item] = [VerdictTest.from_parent(self, name="verdict", run=self.run)]
        for (clause, kind), records in groups(self.run):
            tests.append(ClauseTest.from_parent(self, name=f"{clause}[{kind}]", run=self.run, clause=clause, records=records))
        return tests


class CertileTest(pytest.Item):
    """The common base of both kinds of test."""

    def __init__(self, *, run: BackendRun, **named: Any) -> None:
        super().__init__(**named)
        self.run = run
        self.add_marker("certile")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Returns the text of a violation without a traceback, because the failure is not in this code."""
        return str(excinfo.value) if isinstance(excinfo.value, Violated) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path | str, int | None, str]:
        """Returns the name, because the test is in no file."""
        return "certile", None, self.nodeid


class Violated(Exception):
    """A clause does not hold, or the run is not finished."""


class VerdictTest(CertileTest):
    """A test that the backend is conformant, and that all of it was run."""

    def runtest(self) -> None:
        """Raises Violated with certile's own line of verdict."""
        if not holds(self.run):
            raise Violated(f"{self.run.name}: {self.run.conformance}")


def holds(run: BackendRun) -> bool:
    """Returns true if `certile certify` would end with exit code 0."""
    enough = ["CONFORMANT (full", "PARTIAL", *(["CONFORMANT (text"] if run.header.get("level") == "text" else [])]
    return run.conformance.startswith(tuple(enough))


class ClauseTest(CertileTest):
    """A test of one clause, for one element type of the data."""

    def __init__(self, *, clause: str, records: Group, **named: Any) -> None:
        super().__init__(**named)
        self.clause = clause
        self.records = records

    def runtest(self) -> None:
        """Raises Violated, skips, or returns."""
        counted: dict[str, Group] = {}
        for record in self.records:
            mine = record.verdict != "fail" or record.violated == self.clause
            counted.setdefault(record.verdict if mine else "elsewhere", []).append(record)
        if "fail" in counted or "stale-waiver" in counted:
            raise Violated(self._failure(counted.get("fail", []) + counted.get("stale-waiver", [])))
        if "not-run" in counted:
            raise Violated(f"{len(counted['not-run'])} of {len(self.records)} cases were not run; the first: "
                           f"{counted['not-run'][0].case}")
        if "waived" in counted:
            pytest.xfail(f"waived: {counted['waived'][0].case}")
        if "pass" not in counted:
            pytest.skip(_reason(counted))

    def _failure(self, failed: Group) -> str:
        """Returns a text with the smallest cases first, preferring those that certile asked a second time."""
        again = [record for record in failed if record.reproduce] or failed
        again.sort(key=lambda record: (len(record.reproduce), len(record.case)))
        kind = failed[0].type
        count = f"{len(failed)} of {len(self.records)} cases with data of {kind} violate {self.clause}"
        shown = again[:SHOWN]
        more = [f"... and {len(failed) - len(shown)} more"] if len(failed) > len(shown) else []
        return "\n\n".join([count + "; the smallest first", *map(self._case, shown), *more])

    def _case(self, record: Record) -> str:
        said = "".join(f"\n    {line}" for line in record.explanation.splitlines())
        literals = " ".join(map(shlex.quote, record.reproduce or (record.case,)))
        return (f"{record.case}   {record.fault}{said}\n"
                f"    look closer: certile run {shlex.quote(self.run.spelling)} {literals}")


def groups(run: BackendRun) -> Iterator[tuple[tuple[str, str], Group]]:
    """Returns the records that exercise each clause, by clause and type of the data."""
    found: dict[tuple[str, str], Group] = {}
    for record in run.records:
        clauses = dict.fromkeys(record.exercised)
        if record.violated:
            clauses[record.violated] = None
        for clause in clauses:
            found.setdefault((clause, record.type), []).append(record)
    yield from sorted(found.items(), key=lambda item: (not item[0][0].startswith(("OV", "ONNX")), item[0]))


def _reason(counted: dict[str, Group]) -> str:
    if "elsewhere" in counted:
        return f"no case passed; they fail another clause, first {counted['elsewhere'][0].violated}"
    if "unsupported" in counted:
        return f"not claimed, or not supported: {counted['unsupported'][0].explanation}"
    return "the text leaves it open"
