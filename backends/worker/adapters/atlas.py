#!/usr/bin/env python3
"""The atlas: the behaviour of each runtime on cases where implementations of Tile differ.

    atlas.py corpus            prints the cases of atlas.txt, under each operator that a runtime may claim
    atlas.py page FILE         prints docs/atlas.md; FILE holds the records of these cases, of several backends
"""
import datetime
import json
import sys
from pathlib import Path

OPERATORS = ("openvino-tile-1", "onnx-tile-13", "onnx-tile-6")
PROBES = Path(__file__).with_name("atlas.txt")

# Words for a failure by its fault; any other fault is called by its name.
WORDS = {"shape": "another shape", "elements": "other elements", "refused": "refuses", "accepted": "accepts", "crash": "crashes",
         "timeout": "does not answer", "failed": "fails", "unsteady": "answers differ", "claim": "breaks its claim",
         "type": "another type", "memory": "out of memory"}

HEADING = """# Atlas: who does what

The same questions, asked of every runtime that `./dev certify NAME` knows, under every operator that it claims. A cell shows the answer: *as due*,
*refuses* where a refusal is expected, **in bold** an answer that differs from the operator's text or from our reading of it (the clause shows
which), with the number of its row below; *open* where the texts leave it open, and – where the runtime does not claim it. The case of a cell is
the operator of its row and the words at the head of its column:

    ./dev certify numpy --case 'openvino-tile-1 f32[2,3] x i64{1,0}'

A runtime that another operator describes better is not wrong for differing from this one: NumPy and PyTorch refuse a negative repeat, and
say so. Whether an output shares memory with its input cannot be seen from outside a process, so it is not asked.
"""  # noqa: E501, the text of a page


def tables():
    """[(words, [(literal without operator, words)])] of atlas.txt."""
    found: list[tuple[str, list[tuple[str, str]]]] = []
    for line in PROBES.read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "table":
            found.append((rest, []))
        elif kind == "probe":
            literal, _, words = rest.partition(" | ")
            found[-1][1].append((literal, words))
    return found


def with_last_finding(record):
    """The record with what was found last about it in place of what the judge found."""
    for later in record.get("amended", ()):
        record = {**record, **later, "violated": later.get("clause", ""), "explanation": later.get("words", "")}
    return record


def runs_in(path):
    """[(header, records)] of a records file."""
    found: list[tuple[dict, list[dict]]] = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            entry = json.loads(line)
            if "header" in entry:
                found.append((entry["header"], []))
            elif "case" in entry:
                found[-1][1].append(with_last_finding(entry))
    return found


class Differences:
    """The differences, numbered in the order of the tables."""

    def __init__(self):
        self.rows = []

    def number(self, backend, record):
        self.rows.append((backend, record))
        return len(self.rows)


def first_line(record):
    return record.get("explanation", "").split("\n")[0]


def cell(backend, record, differences):
    if record is None or record["verdict"] == "unsupported":
        return "–"
    if record["verdict"] == "pass":
        return "refuses" if "CT-REFUSE" in record["exercised"] else "as due"
    if record["verdict"] == "inconclusive":
        return "open: " + escaped(first_line(record))
    if record["verdict"] == "fail":
        word = WORDS.get(record["fault"], record["fault"])
        return f"**{word}** [{differences.number(backend, record)}](#differences)"
    return record["verdict"].replace("-", " ")


def rows_of(runs):
    """(backend, operator, {literal without operator: record}) of each backend and operator that it claims."""
    for header, records in runs:
        for operator in header["claim"]["operators"]:
            answers = {each["case"].partition(" ")[2]: each for each in records if each["operator"] == operator}
            if operator in OPERATORS:
                yield header["claim"]["name"], operator, answers


def escaped(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def page(runs, today):
    yield HEADING
    yield f"Made by `./dev atlas` on {today}, with certile {runs[0][0]['certile']} and\n"
    yield "| runtime | version | limits that it claims |\n|---|---|---|"
    for header, _ in runs:
        claim = header["claim"]
        limits = [f"{word.replace('max_', '')} {claim[word]:,}" for word in ("max_rank", "max_elements", "max_bytes") if claim[word]]
        yield f"| {claim['name']} | {escaped(claim['version'])} | {', '.join(limits) or 'none'} |"
    differences = Differences()
    rows = list(rows_of(runs))
    for words, probes in tables():
        yield f"\n## {words}\n"
        yield "| runtime | operator | " + " | ".join(f"{escaped(what)}<br>`{literal}`" for literal, what in probes) + " |"
        yield "|---" * (len(probes) + 2) + "|"
        for backend, operator, records in rows:
            cells = [cell(backend, records.get(literal), differences) for literal, _ in probes]
            yield f"| {backend} | {operator} | " + " | ".join(cells) + " |"
    yield "\n## Differences\n"
    yield "| | runtime | case | clause | answer |\n|---|---|---|---|---|"
    for number, (backend, record) in enumerate(differences.rows, 1):
        yield f"| {number} | {backend} | `{record['case']}` | {record['violated']} | {escaped(first_line(record)[:160])} |"


def main(words):
    if words == ["corpus"]:
        for operator in OPERATORS:
            for _, probes in tables():
                for literal, _ in probes:
                    print(operator, literal)
        return 0
    if len(words) == 2 and words[0] == "page":
        print("\n".join(page(runs_in(words[1]), datetime.date.today().isoformat())))
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
