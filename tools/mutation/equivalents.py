"""Mutations that change nothing, with the reason for each.

    FILE
    - the present line
    + the mutated line; nothing after the + for an omitted statement
    = why no test can distinguish the two
"""
from pathlib import Path


class Equivalents:
    def __init__(self, path):
        self._reasons: dict[tuple[str | None, ...], str] = {}
        self._used: set[tuple[str | None, ...]] = set()
        place: str | None = None
        before: str | None = None
        after: str | None = None
        for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), start=1):
            mark, text = line[:1], line[2:].strip()
            if not line.strip() or mark == "#":
                continue
            if mark == "-":
                before = text
            elif mark == "+":
                after = text
            elif mark == "=":
                if None in (place, before, after) or not text:
                    raise ValueError(f"{path}:{number}: a reason needs a file, a line as it is, and one as it would be")
                self._reasons[place, before, after] = text
            else:
                place, before, after = line.strip(), None, None

    def reason(self, file, mutation):
        """Returns why the mutation changes nothing; nothing if no reason is given."""
        key = (file, mutation.before, mutation.after)
        if key in self._reasons:
            self._used.add(key)
        return self._reasons.get(key)

    def unused(self, file):
        """Returns the entries for this file that match no survivor: "before -> after"."""
        return [f"{before} -> {after or '(nothing)'}" for place, before, after in sorted(self._reasons)
                if place == file and (place, before, after) not in self._used]
