#!/usr/bin/env python3
"""Checks the English of comments, documents and messages: words that make riddles, and the beginnings of declarations' comments.

    check_prose.py ROOT        prints one line for each finding; exit code 1 if there is one

A rule is a function that takes the Tree and yields findings; check_prose_test.py breaks each of them once. ./dev lint spelling
looks for words that are spelled wrong.
"""
import re
import sys
from pathlib import Path

from check_structure import TESTS, report

# Files that are never checked, with the reasons.
EXEMPT = {
    "tools/check_prose": "spells the words that it rejects",
    "CHANGELOG.md": "a record of the past",
    "reference/spec/sources": "texts of others",
    "docs/mutants.md": "printed by `certile self-test --list`, whose messages are checked",
    "docs/atlas.md": "printed by ./dev atlas, whose source is checked",
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
    r"(?<=,\s)since(?! version| \d)": "because",
}
BANNED = re.compile(rf"(?<![\w-])(?:{'|'.join(WORDS)})(?![\w-])".replace(" ", r"\s+"), re.IGNORECASE)
# Capitalised words that end in s and are no verbs.
NO_VERBS = {"This", "Its", "Is", "Has", "As", "Was", "Always", "Less", "Unless", "Perhaps", "Besides", "Thus", "Whose", "Yes",
            "Bytes", "Cases", "Elements", "Errors", "Lines", "Names", "Numbers", "Pages", "Types", "Words"}
COMMENT = re.compile(r"(?:^|(?<=\s))(?://+|/\*+|\*(?!/)|#+)\s(.*)")


def prose(tree, path):
    """Returns what a person reads of a file, line by line: of a document no code, no quotations and no sources of clauses, of a test
    its comments, and otherwise everything, because a user sees each string sooner or later."""
    if path.suffix != ".md":
        lines = tree.text(path).split("\n")
        if TESTS.search(str(path)) or path.parts[:3] == ("conformance", "proof", "mutants"):
            lines = [found[1] if (found := COMMENT.search(line)) else "." for line in lines]
        return "\n".join(re.sub(r"^\s*(?://+|/\*+|\*(?!/)|#+(?!\w))", "", line).strip() for line in lines)
    kept, fenced, sourced = [], False, False
    for line in tree.text(path).split("\n"):
        sourced = line.startswith("source:") or bool(sourced and line.strip())
        fenced ^= bool(re.match(r"\s*(```|~~~)", line))
        is_prose = not fenced and not sourced and not line.startswith(("    ", ">"))
        kept.append(re.sub(r"`[^`]*`|\]\([^)]*\)|“[^”]*”", "`", line).strip() if is_prose else ".")
    return "\n".join(kept)


def words_are_plain(tree):
    for path in tree.sources() + tree.documents() + [path for path in tree.paths if path.suffix == ".inc"]:
        if not str(path).startswith(tuple(EXEMPT)):
            text = prose(tree, path)
            for found in BANNED.finditer(text):
                instead = next(new for old, new in WORDS.items()
                               if re.compile(old.replace(" ", r"\s+"), re.IGNORECASE).match(text, found.start()))
                word = re.sub(r"\s+", " ", found[0])
                yield f"{path}:{text.count(chr(10), 0, found.start()) + 1}: '{word}'; plainer: {instead}"


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


# A comment of whole lines, and the lines of code directly below it.
COMMENTED = re.compile(r"^ *(//.*(?:\n *//.*)*|/\*(?:(?!\*/)[^\0])*\*/)\n((?: *[^\s/#].*\n){1,12})", re.MULTILINE)
NO_FUNCTION = re.compile(r"(?:using|typedef|friend|static_assert|if|for|while|switch|return|else|case)\b|.*\(\*")


def kind_of(code, is_header):
    """Returns what the code up to its first ; or { declares: 'type', 'function' or ''. In a .cpp file only a definition counts, because
    a variable may look like the declaration of a function."""
    code = re.sub(r"(?s)([^;{]*[;{]?).*", r"\1", re.sub(r"\s*//.*", "", code)).replace("\n", " ")
    if not is_header and not code.endswith("{"):
        return ""
    code = re.sub(r"\[\[.*?\]\]|alignas\([^)]*\)|extern \"C\" ?", "", code)
    code = re.sub(r"operator\s*[^\s\w(]+|operator\(\)", "operator_", code)
    while re.search("<[^<>]*>", code):
        code = re.sub(r"<[^<>]*>", "", code)
    code = re.sub(r"^\s*(?:template\s*)?(?:requires .*?\))?\s*", "", code)
    if re.match(r"(?:typedef )?(?:struct|class|enum|union)\b[^;(]*\{", code):
        return "type"
    before = re.match(r"([^={(]*)\(", code)
    if not before or NO_FUNCTION.match(code):
        return ""
    words = before[1].split()
    return "function" if len(words) != 1 or re.fullmatch(r"[A-Z]\w*[a-z]\w*", words[0]) else ""  # else a call


def declarations(tree, kind):
    """Yields the place and the first word of each comment directly above a declaration or definition of this kind."""
    for path in tree.paths:
        if path.suffix in (".hpp", ".h", ".cpp"):
            for found in COMMENTED.finditer(tree.text(path)):
                if kind_of(found[2], path.suffix != ".cpp") == kind:
                    words = re.sub(r"^((//|/\*+)\s*|(ours\s*)?\[[^\]]*\]:?\s*)*", "", found[1]).split()
                    yield f"{path}:{tree.text(path).count(chr(10), 0, found.start(1)) + 1}", words[0] if words else ""


def functions_begin_with_a_verb(tree):
    for place, word in declarations(tree, "function"):
        if not re.fullmatch(r"[A-Z][a-z]+s[,:]?", word) or word.rstrip(",:") in NO_VERBS:
            yield f"{place}: '{word}' begins the comment of a function; a verb does: Returns, Sets, Reads"


def types_begin_with_an_article(tree):
    for place, word in declarations(tree, "type"):
        if word not in ("A", "An", "The", "One"):
            yield f"{place}: '{word}' begins the comment of a type; A, An, The or One does"


RULES = [words_are_plain, documents_are_narrow, functions_begin_with_a_verb, types_begin_with_an_article]

if __name__ == "__main__":
    sys.exit(report(sys.argv[1], RULES))
