#!/usr/bin/env python3
"""Checks the structure of the tree: the direction of includes, the length of files and parts, the ids of clauses, the documents.

    check_structure.py ROOT            prints one line for each finding; exit code 1 if there is one
    check_structure.py --links FOLDER  the same, only for the links of the documents below a folder

A rule is a function that takes the Tree and yields findings; check_structure_test.py breaks each of them once.
"""
import re
import shutil
import subprocess
import sys
from pathlib import Path

# Each folder may include itself and the folders of a lower level.
LEVELS = {"reference": 0, "backends": 1, "conformance": 2, "property_tests": 3, "bench": 3}
# The namespace of each folder, and of the folders in it that have no row.
NAMESPACES = {
    Path("reference"): "certile",
    Path("reference/oracle"): "certile::oracle",
    Path("reference/oracle/definitions"): "certile::oracle::definitions",
    Path("reference/second"): "certile::second",
    Path("backends"): "certile::backends",
    Path("backends/kernel"): "certile::kernel",
    Path("conformance"): "certile::conformance",
    Path("property_tests"): "certile::property_tests",
    Path("bench"): "certile::bench",
}
# The headers for authors of kernels; every part may include them.
PUBLIC_HEADERS = {Path("backends/plugin/certile_plugin.h"), Path("backends/plugin/certile_runner.h")}
CODE = {".c", ".h", ".cpp", ".hpp"}
SOURCE = CODE | {".py", ".cmake", ".sh"}
CLAUSE_ID = r"(?:[A-Z]+-(?:T\d+|TILE)-[A-Z]+\d+[a-z]?|CT-[A-Z]+)"
# One row for each definition, and the places for code about a single definition.
DEFINITIONS = Path("reference/values/definitions.inc")
OF_ONE_DEFINITION = ("reference/oracle/definitions/", "reference/second/readings/", "backends/shape/definitions.inc",
                     "backends/plugin/certile_plugin.h", "backends/plugin/example.c",
                     "backends/plugin/test_plugins/", "backends/starters/", "conformance/proof/hostile/")
# The most lines of the product in each part: words of a line are the part's folders and files, then the number.
LIMITS = Path("tools/limits_by_part.txt")
PRODUCT, TESTS = CODE | {".inc", ".py", ".sh"}, re.compile(r"_test\.|_test/|(?:^|/)(?:tests|testing|test_plugins|test_workers)/")
# Split, so that this file does not contain them.
BANNED = ["TO" + "DO", "FIX" + "ME", "X" + "XX", "not " + "implemented", "un" + "implemented", "place" + "holder"]


class Tree:
    """The files that belong to the product, by path from the root."""

    def __init__(self, root):
        self.root = Path(root).resolve()
        paths = self.known_to_git()
        if not paths:  # an archive without its history, or a system without git
            paths = [path.relative_to(self.root) for path in self.root.rglob("*")]
            ignored = {"build", ".git", ".cache", ".venv", "__pycache__"}
            paths = [path for path in paths if ignored.isdisjoint(path.parts)]
        self.paths = sorted(path for path in paths if (self.root / path).is_file())
        self._texts = {}

    def known_to_git(self):
        if not shutil.which("git"):
            return []
        listing = subprocess.run(["git", "-C", str(self.root), "ls-files", "-z", "--cached", "--others",
                                  "--exclude-standard"], capture_output=True, check=False)
        return [Path(name) for name in listing.stdout.decode().split("\0") if name]

    def text(self, path):
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def lines(self, path):
        return enumerate(self.text(path).splitlines(), start=1)

    def code(self):
        return [path for path in self.paths if path.suffix in CODE and path.parts[0] in LEVELS]

    def sources(self):
        return [path for path in self.paths
                if path.suffix in SOURCE or path.name in ("CMakeLists.txt", "dev", "run")]

    def documents(self):
        return [path for path in self.paths if path.suffix == ".md"]


def parts(tree):
    """Returns {path of a part: the parts that it may include}, from the certile_part() lines of CMake, indirect links included."""
    direct = {}
    for path in tree.paths:
        if path.name == "CMakeLists.txt":
            for part, links in re.findall(r"^\s*certile_part\(([\w/]+)\s*(?:ALONE\s*)?(?:LINKS([^)]*))?\)", tree.text(path), re.MULTILINE):
                direct[Path(part)] = {Path(link) for link in links.split() if re.fullmatch(r"[a-z_]+(/[a-z_]+)+", link)}

    def reached(part, seen):
        for link in direct.get(part, set()) - seen:
            seen.add(link)
            reached(link, seen)
        return seen
    return {part: reached(part, set()) for part in direct}


def part_of(path, known, programs):
    """Returns the innermost part with the file; None for the files of a program, whose folder has a separate CMakeLists.txt."""
    for folder in path.parents:
        if folder in known:
            return folder
        if folder in programs:
            return None
    return None


def includes_follow_the_links(tree):
    known = parts(tree)
    programs = {path.parent for path in tree.paths if path.name == "CMakeLists.txt"}
    for path in tree.code():
        own, folder = part_of(path, known, programs), path.parts[0]
        for number, line in tree.lines(path):
            included = re.match(r'\s*#\s*include\s+"([^"]+/[^"]+)"', line)
            if not included or Path(included[1]) in PUBLIC_HEADERS:
                continue
            target = Path(included[1])
            if ".." in target.parts:
                yield f"{path}:{number}: includes {target}; an include of our own is a path from the root"
                continue
            if target.parts[0] not in LEVELS:
                continue
            if target.parts[0] != folder and LEVELS[target.parts[0]] >= LEVELS[folder]:
                yield (f"{path}:{number}: {folder}/ includes {target}; "
                       "the direction is reference <- backends <- conformance <- property_tests, bench")
                continue
            # A test may include everything in its folder; so may a program's own file.
            theirs = part_of(target, known, programs)
            allowed = theirs in known[own] | {own} or own in target.parents if own else True
            if not allowed and not path.stem.endswith("_test"):
                yield f"{path}:{number}: {own} includes {target}, but certile_part({own} ...) does not link {theirs}"


def reference_stands_alone(tree):
    for path in tree.code():
        if path.parts[0] != "reference" or path.stem.endswith("_test"):
            continue
        for number, line in tree.lines(path):
            included = re.match(r"\s*#\s*include\s+<([^>]+)>", line)
            if included and not re.fullmatch(r"[a-z_0-9]+", included[1]):
                yield f"{path}:{number}: includes <{included[1]}>; reference/ has nothing but the C++ standard library"


def namespaces_are_those_of_the_folders(tree):
    """Two types of one name in one namespace are an error that neither the compiler nor the linker reports."""
    for path in tree.code():
        own = next(NAMESPACES[folder] for folder in path.parents if folder in NAMESPACES)
        for number, line in tree.lines(path):
            opened = re.match(r"namespace (certile\b[\w:]*) \{", line)
            if opened and opened[1] != own:
                yield f"{path}:{number}: opens {opened[1]}; the namespace of its folder is {own}"


def files_are_short(tree):
    for path in tree.sources() + tree.documents():
        if path.parts[:2] == ("docs", "adr"):
            limit = 85
        elif path.name == "CMakeLists.txt":
            limit = 120 if len(path.parts) == 1 else 80
        elif path.suffix == ".md":
            continue
        else:
            limit = 600
        count = len(tree.text(path).splitlines())
        if count > limit:
            yield f"{path}: {count} lines, at most {limit}; one subject per file"


def parts_keep_their_limits(tree):
    """Every file of the product belongs to a part, so that no part grows, and none appears, without a word."""
    if LIMITS not in tree.paths:
        return
    rows = [line.split("#")[0].split() for _, line in tree.lines(LIMITS)]
    limits = {tuple(map(Path, row[:-1])): int(row[-1]) for row in rows if row}
    counts = dict.fromkeys(limits, 0)
    for path in tree.paths:
        if (path.suffix in PRODUCT or path == Path("dev")) and not TESTS.search(str(path)):
            part = next((part for part in limits if not {path, *path.parents}.isdisjoint(part)), None)
            if part:
                counts[part] += len(tree.text(path).splitlines())
            else:
                yield f"{path}: belongs to no part of {LIMITS}"
    for part, count in counts.items():
        if count > limits[part]:
            yield f"{LIMITS}: {' '.join(map(str, part))} has {count} lines, at most {limits[part]}"


def banned_words_are_absent(tree):
    words = re.compile(r"\b(" + "|".join(re.escape(word) for word in BANNED) + r")\b", re.IGNORECASE)
    private = re.compile(r"(?<![\w.~$}])/(?:home|root|Users)/\w")
    for path in tree.paths:
        for number, line in tree.lines(path):
            found = words.search(line) or private.search(line)
            if found:
                yield f"{path}:{number}: '{found[0]}' does not belong in the product"


class Clause:
    def __init__(self, page, number, identity):
        self.page, self.number, self.id = page, number, identity
        self.kind, self.testable, self.has_example = "", "", False

    def finding(self, what):
        return f"{self.page}:{self.number}: {self.id} {what}"


def clauses(tree):
    """Returns the clauses of reference/spec/*.md, in order, by a looser reader than the program's."""
    found = []
    for path in tree.paths:
        if path.parent != Path("reference/spec") or path.suffix != ".md" or path.name == "README.md":
            continue
        for number, line in tree.lines(path):
            heading = re.match(rf"##\s+({CLAUSE_ID})\s+\S+", line)
            if heading:
                found.append(Clause(path, number, heading[1]))
            elif found and found[-1].page == path:
                if line.startswith(("kind:", "testable:")):
                    name, _, value = line.partition(":")
                    setattr(found[-1], name, value.strip())
                found[-1].has_example |= bool(re.match(r" {4}[a-z][a-z0-9.-]*-tile\S* ", line))
    return found


def testable(tree):
    return [clause for clause in clauses(tree) if clause.testable.startswith("yes")]


def clauses_have_a_page(tree):
    found: dict[str, Clause] = {}
    for clause in clauses(tree):
        first = found.setdefault(clause.id, clause)
        if first is not clause:
            yield clause.finding(f"is the id of {first.page}:{first.number} as well")
        if not clause.kind:
            yield clause.finding("has no line 'kind:'")
        if not re.match(r"(yes|no\b.+)", clause.testable):
            yield clause.finding("needs 'testable: yes' or 'testable: no (reason)'")
    if any(path.parts[:2] == ("reference", "spec") for path in tree.paths) and not found:
        yield "reference/spec: no page has a clause (## ID name)"


def citations(tree):
    """Yields (id, path, line number) for every clause that a line of code cites, except in tests, which may invent ids."""
    for path in tree.code():
        if path.stem.endswith("_test"):
            continue
        for number, line in tree.lines(path):
            for bracket in re.findall(r"\[([^\[\]]*)\]", line):
                for identity in re.findall(rf"(?<![\w-]){CLAUSE_ID}(?![\w-])", bracket):
                    yield identity, path, number


def testable_clauses_are_cited(tree):
    cited = {identity for identity, path, _ in citations(tree) if path.parts[0] in ("reference", "backends", "conformance")}
    for clause in testable(tree):
        if clause.id not in cited:
            yield clause.finding(f"is testable, but no line of code cites [{clause.id}]")


def citations_name_a_clause(tree):
    known = {clause.id for clause in clauses(tree)}
    for identity, path, number in citations(tree):
        if known and identity not in known:
            yield f"{path}:{number}: [{identity}] is no clause of reference/spec"


def testable_clauses_have_a_case(tree):
    corpora = "\n".join(tree.text(path) for path in tree.paths if path.suffix == ".tile")
    in_corpora = set(re.findall(rf"(?<![\w-]){CLAUSE_ID}(?![\w-])", corpora))
    for clause in testable(tree):
        if not clause.has_example and clause.id not in in_corpora:
            yield clause.finding("is testable, but has no example on its page and no corpus line that cites it")


# Clauses that no mutant of the C header can break, and why.
WITHOUT_MUTANT = {
    "CT-SELF": "a plugin cannot reach the oracle: the liars show it",
    **{f"ONNX-T{version}-{clause}": "who does not answer what it asks answers nothing: the liars show it"
       for version in (6, 13) for clause in ("I2", "I3", "T2")},
    "AA-TILE-R2": "who does not take a tuple answers nothing: the liars show it",
    **{f"ONNX-T6-{clause}": "an example of another page: a failure is charged to the rule that it is an example of"
       for clause in ("E1", "E2")},
}


def testable_clauses_have_a_mutant(tree):
    """Examples need no mutant, because a failure is charged to the rule that they illustrate.

    The mutants name roles; the page, which a test holds to what certile prints, has the clauses of each definition.
    """
    page = Path("docs/mutants.md")
    if page not in tree.paths:
        return
    caught_by = set(re.findall(rf"(?<![\w-]){CLAUSE_ID}(?![\w-])", tree.text(page)))
    for clause in testable(tree):
        if clause.kind != "example" and clause.id not in WITHOUT_MUTANT and clause.id not in caught_by:
            yield clause.finding("is testable, but no mutant breaks it (docs/mutants.md)")


def code_of(tree, path):
    """Yields (line number, code) for each line, without a comment that begins on it."""
    for number, line in tree.lines(path):
        yield number, re.split(r"//|/\*|^ \* ", line)[0]


def program_code(tree):
    return [path for path in tree.paths if path.suffix in CODE | {".inc"} and path.parts[0] in LEVELS
            and not path.stem.endswith("_test")]


def clause_ids_stay_on_pages(tree):
    """Code asks a page for the clause that has a role."""
    for path in program_code(tree):
        for number, code in code_of(tree, path):
            for identity in re.findall(rf'"({CLAUSE_ID})"', code):
                yield f"{path}:{number}: the id {identity} is for pages, corpora and records; code asks for a role"


def no_definition_is_special(tree):
    """Code asks for the rules of a definition."""
    if DEFINITIONS not in tree.paths:
        return
    rows = re.findall(r'^DEFINITION\((\w+), "[^"]*", "[^"]*", (\w+)', tree.text(DEFINITIONS), re.MULTILINE)
    words = re.compile(r"(?<!\w)(" + "|".join(word for row in rows for word in row) + r")(?!\w)")
    for path in program_code(tree):
        if path != DEFINITIONS and not str(path).startswith(OF_ONE_DEFINITION):
            for number, code in code_of(tree, path):
                for word in words.findall(code):
                    yield f"{path}:{number}: {word} is one definition; code asks for the rules of each"


def links_lead_somewhere(tree):
    for path in tree.documents():
        for number, line in tree.lines(path):
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", line):
                if "://" not in link and not (tree.root / path.parent / link).exists():
                    yield f"{path}:{number}: the link to {link} leads nowhere"


def documents_name_real_commands(tree):
    script = Path("dev")
    if script not in tree.paths:
        return
    parts = [script] + [path for path in tree.paths if path.match("tools/dev/*.sh")]
    known = {command for part in parts for command in re.findall(r"^command_(\w+)\(\)", tree.text(part), re.MULTILINE)}
    for path in tree.documents():
        for number, line in tree.lines(path):
            for command in re.findall(r"(?<![\w/])\./dev ([a-z]+)", line):
                if command not in known:
                    yield f"{path}:{number}: ./dev has no command '{command}'"


def documents_name_real_files(tree):
    """Documents name files and folders that are there; decisions and the change log may name what was.

    The map leaves out folders that its row has named already."""
    names = {path.name for path in tree.paths}
    mentions = re.compile(r"`((?:" + "|".join([*LEVELS, "cmake", "tools"]) + r")/[\w./-]*\w)/?`")
    for path in tree.documents():
        if path.parts[:2] == ("docs", "adr") or path.name == "CHANGELOG.md":
            continue
        for number, line in tree.lines(path):
            for name in mentions.findall(line):
                if not (tree.root / name).exists():
                    yield f"{path}:{number}: there is no {name}"
            for name in re.findall(r"`(?:\w+/)*(\w+\.(?:cpp|hpp))`", line) if path == Path("docs/map.md") else ():
                if name not in names | {"NAME_test.cpp"}:
                    yield f"{path}:{number}: there is no {name}"


def excerpts_are_code(tree):
    """The lines of an excerpt below the name of a file are in that file, in the same order."""
    for path in tree.documents():
        for name, excerpt in re.findall(r"^`([\w./]+)`\n\n```cpp\n(.*?)^```", tree.text(path), re.MULTILINE | re.DOTALL):
            code = iter(tree.text(Path(name)).splitlines()) if Path(name) in tree.paths else iter(())
            for line in excerpt.splitlines():
                if line not in code:
                    yield f"{path}: {name} has no line '{line.strip()}' there"


def one_function_parses_json(tree):
    """Text of others becomes JSON in one place, whose limits hold for every reader, but for a string that a worker escaped."""
    for path in tree.code():
        if path.stem.endswith("_test") or path in map(Path, ("conformance/text/foreign_json.cpp", "backends/worker/header.cpp")):
            continue
        for number, line in tree.lines(path):
            if re.search(r"\b[Jj]son::(parse|accept|from_\w+)\(", line):
                yield f"{path}:{number}: JSON is parsed by foreign_json(), which has limits"


RULES = [
    includes_follow_the_links, reference_stands_alone, namespaces_are_those_of_the_folders, files_are_short,
    parts_keep_their_limits, banned_words_are_absent, clauses_have_a_page, testable_clauses_are_cited,
    citations_name_a_clause, testable_clauses_have_a_case, testable_clauses_have_a_mutant, clause_ids_stay_on_pages,
    no_definition_is_special, links_lead_somewhere, documents_name_real_commands,
    documents_name_real_files, excerpts_are_code, one_function_parses_json,
]


def findings(root, rules):
    tree = Tree(root)
    return [finding for rule in rules for finding in rule(tree)]


def report(root, rules):
    """Prints what the rules find, and returns the exit code."""
    found = findings(root, rules)
    print("\n".join([*found, f"{len(found)} findings by {len(rules)} rules"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(report(sys.argv[-1], [links_lead_somewhere] if sys.argv[1] == "--links" else RULES))
