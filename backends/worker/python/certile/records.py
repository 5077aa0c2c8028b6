"""The findings of a run of certile, read from its file of records. Source: certile's page on reports, "The files"."""
from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Record:
    """A case and its verdict. `case` is its literal; `type` that of the data; `exercised` the clauses that it exercises.

    The verdict, `fault`, `violated` and `explanation` are those of the last finding: the judge's, or an amendment's.
    `fault`, `violated` (the one clause that a failure is charged to) and `explanation` are empty if they do not apply.
    `reproduce` has the literals that show a failure again, in order, if certile has confirmed them.
    """
    backend: str
    case: str
    operator: str
    type: str
    verdict: str
    exercised: tuple[str, ...] = ()
    vacuous: bool = False
    fault: str = ""
    violated: str = ""
    explanation: str = ""
    reproduce: tuple[str, ...] = ()
    law: str = ""


@dataclass(frozen=True, repr=False)
class BackendRun:
    """The records of one backend, in order; `footer` is empty if the run did not end. Its repr is one line."""
    header: dict[str, Any]
    records: list[Record] = field(default_factory=list)
    footer: dict[str, Any] = field(default_factory=dict)

    @property
    def spelling(self) -> str:
        """Returns the backend as certile's command line spells it."""
        return str(self.header["spelling"])

    @property
    def name(self) -> str:
        """Returns the backend's own name and version."""
        claim = self.header.get("claim") or {}
        return " ".join(part for part in (claim.get("name", self.spelling), claim.get("version", "")) if part)

    @property
    def conformance(self) -> str:
        """Returns the verdict of the whole, as certile prints it."""
        return str(self.footer.get("conformance", "INCOMPLETE (the run did not end)"))

    def failures(self) -> list[Record]:
        """Returns the records with verdict `fail`."""
        return [record for record in self.records if record.verdict == "fail"]

    def __repr__(self) -> str:
        return f"<BackendRun {self.name}: {self.conformance}; {len(self.records):,} records, {len(self.failures()):,} failures>"


def read_records(source: Path | Iterable[str]) -> list[BackendRun]:
    """Returns the runs of a file of records, or of its lines. Raises ValueError, with the line's number, if one is no record."""
    if isinstance(source, Path):
        with source.open(encoding="utf-8") as lines:
            return read_records(lines)
    runs: list[BackendRun] = []
    for number, line in enumerate(source, start=1):
        try:
            said = json.loads(line)
            if "header" in said:
                runs.append(BackendRun(said["header"]))
            elif "footer" in said:
                runs[-1].footer.update(said["footer"])
            else:
                runs[-1].records.append(_record(said))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError) as why:
            raise ValueError(f"line {number} is no record of certile: {why}") from why
    return runs


def _amended(said: dict[str, Any]) -> dict[str, Any]:
    """Returns the record with its last finding in place of the judge's, and the last literals that reproduce it."""
    for later in said.get("amended", ()):
        said = {**said, "fault": "", **later, "violated": later.get("clause", ""), "explanation": later.get("words", "")}
    return said


_NAMES = frozenset(each.name for each in fields(Record))


def _record(said: dict[str, Any]) -> Record:
    """Ignores unknown fields, as that page requires of every reader."""
    said = _amended(said)
    known: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value
                             for name, value in said.items() if name in _NAMES}
    return Record(**known)
