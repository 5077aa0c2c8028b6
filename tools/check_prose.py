#!/usr/bin/env python3
"""Checks the English of comments, documents and messages: words that make riddles, and the beginnings of declarations' comments.

    check_prose.py ROOT        prints one line for each finding; exit code 1 if there is one

A rule is a function that takes the Tree and yields findings; check_prose_test.py breaks each of them once.
"""
import ast
import io
import re
import sys
import tokenize
from bisect import bisect_right
from pathlib import Path

from check_structure import CODE, Tree

# Files that are never checked, with the reasons.
EXEMPT = {
    "tools/check_prose": "spells the words that it rejects",
    "CHANGELOG.md": "a record of the past",
    "docs/mutants.md": "printed by `certile self-test --list`, whose messages are checked",
    "docs/atlas.md": "printed by ./dev atlas, whose source is checked",
    "docs/performance.md": "printed by tools/bench, whose source is checked",
    **{f"docs/adr/{number:04}": "a decision as it was made" for number in range(1, 15)},
}
# Patterns of rejected words, with plainer ones.  A space matches the end of a line too.
WORDS = {
    r"(?:is|are|was|were|be) due": "is expected",
    r"so many": "the number of",
    r"nobody": "no one",
    r"whoever": "the caller, anyone who",
    r"(?-i:Who) (?:relies|wants|needs|asks|reads|writes|uses|has|is|does)": "anyone who",
    r"hand(?:s|ed|ing)? on": "pass",
    r"(?:is|are|was|were|be|been|being) told": "receives",
    r"(?:take|takes|taking|taken|took) note of": "record",
    r"(?:stand|stands|standing) (?:in|on|at|behind|beside|before|there|under|after)": "is in",
    r"(?:lies|lay) (?:in|on|at|behind|beside|before|there|under|after)": "is in",
    r"as (?:it|they) stands?": "unchanged",
    r"anew": "again",
    r"dear(?:er|est|ly)?": "expensive",
    r"mend(?:s|ed|ing)?": "fix",
    r"of (?:its|their) own": "separate, own",
    r"what (?:came|comes)": "the result",
    r"(?:tell|tells|told|telling) (?:\w+ )?apart": "distinguish",
    r"(?:give|gives|given|gave|giving) up": "abandon",
    r"beside": "next to",
    r"behind (?:a|an|the|two|its|their)? ?pipes?": "over a pipe",
    r"in silence": "silently",
    r"one an? (?:line|case|test)": "one on each line, one for each case",
}
BANNED = re.compile("|".join(rf"(?<![\w-])(?:{words})(?![\w-])" for words in WORDS).replace(" ", r"\s+"), re.IGNORECASE)
# Capitalised words that end in s and are no verbs.
NO_VERBS = {"This", "Its", "Is", "Has", "As", "Was", "Always", "Less", "Unless", "Perhaps", "Besides", "Thus", "Whose", "Yes",
            "Bytes", "Cases", "Elements", "Errors", "Lines", "Names", "Numbers", "Pages", "Types", "Words"}


class Block:
    """Adjacent lines of prose, with their numbers."""

    def __init__(self, path):
        self.path, self.text, self._starts, self._numbers = path, "", [], []

    def add(self, number, line):
        self._starts.append(len(self.text))
        self._numbers.append(number)
        self.text += line + "\n"

    def follows(self, number):
        return self._numbers and self._numbers[-1] == number - 1

    def number_at(self, offset):
        return self._numbers[bisect_right(self._starts, offset) - 1]

    @property
    def first(self):
        return self._numbers[0]

    @property
    def last(self):
        return self._numbers[-1]


def blocks_of(path, pieces):
    """Joins (line number, text) of adjacent lines."""
    block = Block(path)
    for number, text in pieces:
        if block.text and not block.follows(number):
            yield block
            block = Block(path)
        block.add(number, text.strip())
    if block.text:
        yield block


C_TOKEN = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>R"(?P<end>[^(\s]*)\(.*?\)(?P=end)")|'
                     r'(?P<string>"(?:\\.|[^"\\\n])*")|(?<![0-9A-Fa-f])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)


def c_tokens(text, kind):
    """Yields (line number, text) of the comments or strings, one for each line."""
    number, end = 1, 0
    for token in C_TOKEN.finditer(text):
        number += text.count("\n", end, token.start())
        end = token.start()
        if token.lastgroup == "end" and kind == "string" or token[kind]:
            for offset, line in enumerate(token[0].split("\n")):
                yield number + offset, line


def c_comments(text):
    for number, line in c_tokens(text, "comment"):
        yield number, re.sub(r"^\s*(?://+|/\*+|\*(?!/))|\*/\s*$", "", line)


def python_tokens(text, kind):
    """Yields (line number, text) of the tokens of this kind, one for each line."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == kind:
            for offset, line in enumerate(token.string.split("\n")):
                yield token.start[0] + offset, line


def docstring_lines(text):
    """Returns the numbers of the lines that document a module, a class or a function."""
    numbers: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            string = node.body[0]
            numbers.update(range(string.lineno, (string.end_lineno or string.lineno) + 1))
    return numbers


def python_comments(text):
    """Returns (line number, text) of comments and docstrings."""
    found = [(number, line.lstrip("#! ")) for number, line in python_tokens(text, tokenize.COMMENT)]
    lines = text.split("\n")
    return sorted(found + [(number, lines[number - 1].replace('"""', "")) for number in docstring_lines(text)])


def hash_comments(text):
    """Yields the comments of CMake and of the shell; a # in quotes begins none."""
    for number, line in enumerate(text.split("\n"), start=1):
        comment = re.match(r"""(?:[^#"']|"[^"]*"|'[^']*'|(?<=\S)#)*?(?:^|(?<=\s))#(.*)""", line)
        if comment and not line.startswith("#!"):
            yield number, comment[1]


def paragraphs(text):
    """Yields the prose of a document: no fenced blocks, no code, no quotations, no sources of clauses, no targets of links."""
    fenced = sourced = False
    for number, line in enumerate(text.split("\n"), start=1):
        sourced = line.startswith("source:") or bool(sourced and line.strip())
        if re.match(r"\s*(```|~~~)", line):
            fenced = not fenced
        elif line.strip() and not fenced and not sourced and not line.startswith(("    ", ">")):
            yield number, re.sub(r"`[^`]*`|\]\([^)]*\)|“[^”]*”", "`", line)


def checked(tree):
    for path in tree.paths:
        if not str(path).startswith(tuple(EXEMPT)):
            yield path


def is_hash(path):
    return path.suffix in (".cmake", ".sh") or path.name in ("CMakeLists.txt", "dev", "run")


def comments(tree, path):
    text = tree.text(path)
    if path.suffix in CODE or path.suffix == ".inc":
        yield from blocks_of(path, c_comments(text))
    elif path.suffix == ".py":
        yield from blocks_of(path, python_comments(text))
    elif is_hash(path):
        yield from blocks_of(path, hash_comments(text))


def banned(blocks, where):
    for block in blocks:
        for found in BANNED.finditer(block.text):
            word = re.sub(r"\s+", " ", found[0])
            instead = next(new for old, new in WORDS.items() if re.search(old.replace(" ", r"\s+"), found[0], re.IGNORECASE))
            yield f"{block.path}:{block.number_at(found.start())}: '{word}' in {where}; plainer: {instead}"


def comments_are_plain(tree):
    for path in checked(tree):
        yield from banned(comments(tree, path), "a comment")


def reasons_say_because(tree):
    for path in checked(tree):
        for block in comments(tree, path):
            for found in re.finditer(r",\s+since(?!\s+(?:version|\d))", block.text):
                yield f"{block.path}:{block.number_at(found.end() - 1)}: ', since' in a comment; plainer: because"


def documents_are_plain(tree):
    for path in checked(tree):
        if path.suffix == ".md":
            yield from banned(blocks_of(path, paragraphs(tree.text(path))), "a document")


def documents_are_narrow(tree):
    """At most 90 characters, but for what cannot be broken: tables, code and links."""
    unbroken = {Path(f"docs/{name}.md") for name in ("mutants", "atlas", "performance", "glossary")}  # printed or read by programs
    for path in tree.documents():
        if path.parts[:2] == ("reference", "spec") or path in unbroken:
            continue
        in_code = False
        for number, line in tree.lines(path):
            in_code ^= line.lstrip().startswith("```")
            words = re.findall(r"(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+", line)
            is_free = in_code or line.startswith("    ") or line.lstrip().startswith(("|", "```", "<", "#")) or len(words) < 3
            if len(line) > 90 and not is_free:
                yield f"{path}:{number}: {len(line)} characters, at most 90"


def strings(tree, path):
    """Returns (line number, text) of the strings in a program, and of all lines of a script."""
    if path.suffix in (".cpp", ".hpp", ".inc"):
        return c_tokens(tree.text(path), "string")
    if path.suffix == ".py":
        documented = docstring_lines(tree.text(path))
        return [piece for piece in python_tokens(tree.text(path), tokenize.STRING) if piece[0] not in documented]
    return tree.lines(path) if path.suffix == ".sh" or path.name == "dev" else []


def messages_are_plain(tree):
    """A user sees every string of a program sooner or later, except those of tests."""
    for path in checked(tree):
        if not path.stem.endswith("_test") and "test_" not in str(path):
            yield from banned(blocks_of(path, strings(tree, path)), "a message")


def declaration(lines, number, is_header):
    """Returns what the lines after line `number` declare, up to the first ; or {: 'type', 'function' or ''.

    In a .cpp file only a definition counts, because a variable may look like the declaration of a function.
    """
    code = ""
    for line in lines[number:number + 12]:
        if not line.strip() or line.lstrip().startswith(("//", "#")):
            return ""
        code += " " + line.split("//")[0].strip()
        if re.search(r"[;{]", code):
            break
    if not is_header and not re.match(r"[^;]*\{", code):
        return ""
    code = re.sub(r"\[\[.*?\]\]|alignas\([^)]*\)|extern \"C\" ?", "", code).strip()
    code = re.sub(r"operator\s*[^\s\w(]+|operator\(\)", "operator_", code)
    previous = None
    while previous != code:
        previous, code = code, re.sub(r"<[^<>]*>", "", code)
    code = re.sub(r"^template\s*(requires .*?\))?\s*", "", code)
    if re.match(r"(?:typedef )?(?:struct|class|enum|union)\b[^;(]*\{", code):
        return "type"
    before = re.match(r"([^;{=(]*)\(", code)
    if not before or code.startswith(("using ", "typedef ", "friend ", "static_assert")) or "(*" in code:
        return ""
    words = before[1].split()
    is_statement = words[:1] and words[0] in ("if", "for", "while", "switch", "return", "else", "case")
    is_call = len(words) == 1 and not re.fullmatch(r"[A-Z]\w*[a-z]\w*", words[0])
    return "" if is_statement or is_call else "function"


def declared(tree, kind):
    """Yields (block, first word) of each comment directly above a declaration or definition of this kind."""
    for path in checked(tree):
        is_header = path.suffix in (".hpp", ".h")
        if not is_header and path.suffix != ".cpp":
            continue
        lines = tree.text(path).split("\n")
        for block in comments(tree, path):
            alone = re.match(r"\s*(//|/\*)", lines[block.first - 1])
            if alone and declaration(lines, block.last, is_header) == kind:
                words = re.sub(r"^(\s*(ours\s*)?\[[^\]]*\]:?)*", "", block.text).split()
                yield block, words[0] if words else ""


def functions_begin_with_a_verb(tree):
    for block, word in declared(tree, "function"):
        if not re.fullmatch(r"[A-Z][a-z]+s[,:]?", word) or word.rstrip(",:") in NO_VERBS:
            yield f"{block.path}:{block.first}: '{word}' begins the comment of a function; a verb does: Returns, Sets, Reads"


def types_begin_with_an_article(tree):
    for block, word in declared(tree, "type"):
        if word not in ("A", "An", "The", "One"):
            yield f"{block.path}:{block.first}: '{word}' begins the comment of a type; A, An, The or One does"


RULES = [comments_are_plain, reasons_say_because, documents_are_plain, documents_are_narrow, messages_are_plain,
         functions_begin_with_a_verb,
         types_begin_with_an_article]


def findings(root):
    tree = Tree(root)
    return [finding for rule in RULES for finding in rule(tree)]


def main(arguments):
    if len(arguments) != 1:
        print("usage: check_prose.py ROOT", file=sys.stderr)
        return 2
    found = findings(Path(arguments[0]))
    for finding in found:
        print(finding)
    print(f"{len(found)} findings by {len(RULES)} rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
