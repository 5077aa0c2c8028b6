"""Small changes to C and C++ sources, each of which a test should notice.

The source is formatted by clang-format, so a binary operator has spaces around it, and a template's bracket or a pointer's
star has not.
"""
import re
from dataclasses import dataclass

EXCHANGED = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ", " && ": " || ", " || ": " && ",
             " + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", " % ": " * ", " += ": " -= ", " -= ": " += ", " *= ": " /= ",
             " << ": " >> ", " & ": " | ", " | ": " & ", "++": "--", "--": "++"}
OPERATORS = re.compile("|".join(re.escape(each) for each in sorted(EXCHANGED, key=len, reverse=True)))
NUMBER = re.compile(r"(?<![\w.'])(\d+)(?![\w.'])")
CONDITION = re.compile(r"\b(if|while) \(")
# A whole statement on its line.  Two consecutive names are a declaration, which other lines need.
STATEMENT = re.compile(r"^ *(?:(?:break|continue|return)\b[^;]*|(?![\w:<>]+[*&]? +\w)[A-Za-z_*(+\-][^;{}]*);$")
COMMENT_OR_TEXT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'|^[ \t]*#[^\n]*", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Mutation:
    line: int      # from 1
    before: str    # that line, without the spaces at its ends
    after: str     # the new line; empty: the statement is omitted
    text: str      # the whole file


def blanked(text):
    """Returns the source with comments, texts and directives replaced by spaces, so that positions stay."""
    return COMMENT_OR_TEXT.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def end_of_bracket(code, begin):
    """Returns the position after the bracket that closes the one before `begin`."""
    depth = 1
    for at in range(begin, len(code)):
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        if depth == 0:
            return at
    return None


def changes(code):
    """Yields (begin, end, instead) of each change, in the order of the file."""
    for found in OPERATORS.finditer(code):
        yield found.start(), found.end(), EXCHANGED[found.group()]
    for found in NUMBER.finditer(code):
        number = int(found.group())
        yield found.start(), found.end(), str(number + 1)
        if number > 0:
            yield found.start(), found.end(), str(number - 1)
    for found in CONDITION.finditer(code):
        end = end_of_bracket(code, found.end())
        if end is not None:
            yield found.end(), end, f"!({code[found.end():end]})"
    at = 0
    for line in code.splitlines(keepends=True):
        if STATEMENT.match(line.rstrip("\n")):
            begin = at + len(line) - len(line.lstrip())
            yield begin, at + len(line.rstrip("\n")), ";"
        at += len(line)


def mutations_of(text):
    """Yields every mutation of a file, in its order."""
    code = blanked(text)
    found = []
    for begin, end, instead in sorted(changes(code)):
        new = f"!({text[begin:end]})" if instead.startswith("!(") else instead
        mutated = text[:begin] + new + text[end:]
        number = text.count("\n", 0, begin) + 1
        before, after = (each.splitlines()[number - 1].strip() for each in (text, mutated))
        found.append(Mutation(number, before, "" if after == ";" else after, mutated))
    return found
