#!/usr/bin/env python3
"""Checks the origins that the specification pages name: the stored texts, the quotations, the sources of our clauses.

    check_sources.py ROOT        prints one line for each finding; exit code 1 if there is one

A rule is a function that takes the Tree and yields findings; check_sources_test.py breaks each of them once.
"""
import hashlib
import re
import sys
from pathlib import Path

from check_structure import report

SPEC = Path("reference/spec")
TEXT = re.compile(r"text: (?P<title>[^,]+), (?P<address>https://\S+), (?P<version>[^,]+), (?P<licence>[^,]+), "
                  r"sha256 (?P<sha256>[0-9a-f]{64}), (?P<file>sources/\S+)")
# A file of an implementation: a path with a folder and the ending of source code.
IMPLEMENTATION = re.compile(r"(?<!\S)\w[\w.-]*/[\w./-]*\.(?:cpp|hpp|cc|h|py)\b")
NONE_FOLLOWED = "no implementation is followed"


class Clause:
    def __init__(self, page, number, identity):
        self.page, self.number, self.id, self.kind, self.source = page, number, identity, "", ""

    def finding(self, what):
        return f"{self.page.path}:{self.number}: {self.id} {what}"


class Page:
    """The texts that a page names, by title, and the sources of its clauses."""

    def __init__(self, path, lines):
        self.path, self.texts, self.clauses, self.unread = path, {}, [], []
        blocks = iter(joined(lines))
        for number, line in blocks:
            heading = re.match(r"## (\S+) ", line)
            if heading:
                self.clauses.append(Clause(self, number, heading[1]))
            elif line.startswith("text:") and not self.clauses:
                text = TEXT.fullmatch(line)
                if text:
                    self.texts[text["title"]] = text
                else:
                    self.unread.append(number)
            elif self.clauses and line.startswith("kind:"):
                self.clauses[-1].kind = line.removeprefix("kind:").strip()
            elif self.clauses and line.startswith("source:"):
                self.clauses[-1].source = line.removeprefix("source:").strip()


def joined(lines):
    """Yields (line number, line), after joining the lines that continue a text or a source."""
    start = None
    for number, line in enumerate(lines, start=1):
        goes_on = start and line.strip() and (start[1].startswith("source:") or line.startswith("  "))
        if goes_on:
            start = (start[0], f"{start[1]} {line.strip()}")
            continue
        if start:
            yield start
            start = None
        if line.startswith(("text:", "source:")):
            start = (number, line)
        else:
            yield number, line
    if start:
        yield start


class Pages:
    def __init__(self, tree):
        self.pages = [Page(path, tree.text(path).split("\n")) for path in tree.paths
                      if path.parent == SPEC and path.suffix == ".md" and path.name != "README.md"]
        self.clauses = [clause for page in self.pages for clause in page.clauses]
        self.stored = {path.relative_to(SPEC).as_posix(): (tree.root / path).read_bytes() for path in tree.paths
                       if path.parent == SPEC / "sources" and path.name != "README.md"}

    def words(self, text):
        """Returns the stored copy below the heading with the text's title; all of it if there is no such heading."""
        lines = self.stored.get(text["file"], b"").decode("utf-8").split("\n")
        for start, line in enumerate(lines):
            heading = re.fullmatch(r"(#+) (.*?)#?", line)
            if heading and heading[2] == text["title"]:
                level = len(heading[1])
                end = next((number for number in range(start + 1, len(lines))
                            if re.match(rf"#{{1,{level}}} ", lines[number])), len(lines))
                return plain("\n".join(lines[start:end]))
        return plain("\n".join(lines))


def plain(text):
    """Returns the text without emphasis, with straight quotation marks and single spaces."""
    text = text.translate(str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "*": None, "`": None}))
    return " ".join(text.split())


def quotations(source):
    """Yields (words outside quotations before it, quotation) for each quotation; None for one that does not end.

    A quotation may contain others: "the input "data" is tiled". Inside one, a mark after a space, a parenthesis or an opening mark
    opens another.
    """
    words, quotation, depth, opened = "", "", 0, False
    for place, character in enumerate(source):
        opens = character == '"' and (opened or not depth or source[place - 1] in " (")
        closes = character == '"' and not opens and depth == 1
        if closes:
            yield words, quotation
            quotation = ""
        elif depth:
            quotation += character
        elif not opens:
            words += character
        if character == '"':
            depth += 1 if opens else -1
        opened = opens
    if depth:
        yield words, None


def places(words, text):
    """Returns the matches of a text in words, of whole words alone: "Tile - 1" is not in "Tile - 13"."""
    return list(re.finditer((r"\b" if text[0].isalnum() else "") + re.escape(text) + (r"\b" if text[-1].isalnum() else ""), words))


def pages_name_their_texts(tree):
    pages = Pages(tree)
    for page in pages.pages:
        for number in page.unread:
            yield f"{page.path}:{number}: a text is 'text: title, https address, version, licence, sha256 …, sources/FILE'"
        if not page.texts and not page.unread and any(clause.kind != "contract" for clause in page.clauses):
            yield f"{page.path}: names no text; a line 'text: …' belongs before the first clause"


def stored_texts_are_what_was_read(tree):
    pages = Pages(tree)
    for page in pages.pages:
        for title, text in page.texts.items():
            if text["file"] not in pages.stored:
                yield f"{page.path}: the text {title} is not stored in {SPEC / text['file']}"
                continue
            digest = hashlib.sha256(pages.stored[text["file"]]).hexdigest()
            if digest != text["sha256"]:
                yield f"{page.path}: the text {title} has the SHA-256 {digest}, the page says {text['sha256']}"


def stored_texts_are_named(tree):
    pages = Pages(tree)
    named = {text["file"] for page in pages.pages for text in page.texts.values()}
    for file in sorted(pages.stored.keys() - named):
        yield f"{SPEC / file}: is named by no page"


def quotations_are_in_their_text(tree):
    pages = Pages(tree)
    for clause in pages.clauses:
        for before, quotation in quotations(clause.source):
            if quotation is None:
                yield clause.finding("has a quotation that does not end")
                continue
            titles = sorted((found.start(), title) for title in clause.page.texts for found in places(before, title))
            if not titles:
                yield clause.finding(f'quotes "{quotation}" and names no text of its page before it')
                continue
            title = titles[-1][1]
            words = pages.words(clause.page.texts[title])
            parts = [plain(part) for part in quotation.split("…") if part.strip()]
            for part in parts:
                found = places(words, part)
                if not found:
                    yield clause.finding(f'quotes "{part}", which is not in {title}, or not in this order')
                    break
                words = words[found[0].end():]
            if not parts:
                yield clause.finding("has a quotation without words")


def clauses_of_the_text_quote_it(tree):
    pages = Pages(tree)
    for clause in pages.clauses:
        if clause.kind in ("normative", "example") and not list(quotations(clause.source)):
            yield clause.finding(f"is of the kind {clause.kind} and quotes nothing")


def our_clauses_name_what_they_follow(tree):
    pages = Pages(tree)
    for clause in pages.clauses:
        if clause.kind in ("ours", "exclusion") and not IMPLEMENTATION.search(clause.source) \
                and NONE_FOLLOWED not in clause.source:
            yield clause.finding(f"names no file of an implementation, and does not say that {NONE_FOLLOWED}")


RULES = [
    pages_name_their_texts, stored_texts_are_what_was_read, stored_texts_are_named, quotations_are_in_their_text,
    clauses_of_the_text_quote_it, our_clauses_name_what_they_follow,
]


if __name__ == "__main__":
    sys.exit(report(sys.argv[1], RULES))
