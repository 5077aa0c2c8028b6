#!/usr/bin/env python3
"""Runs the commands of a document as they are written, and compares their output with the document's.

    run_document.py BUILD ROOT DOCUMENT      exit code 1 if a command does not do what the document shows

A fenced block takes part by the words after its language:

    sh run            run by bash, ends at the first failure; `exit=N`: must end with that exit code; `needs=PROGRAM`:
                      not run, with a word, where the program is not installed; `when=NAME`: nor where the variable is empty
                      `from=FILE`: not run; FILE of the build has what it prints
    yaml run          a CI job: its `run:` and `script:` commands, in order, except steps with the name `Set up ...`
    c file=NAME       written to the file NAME
    text output       lines that the commands of the block before it must print, in this order; `...` stands for any
                      lines, and with `numbers=any` a number stands for any number
"""
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Block:
    line: int
    language: str
    words: list = field(default_factory=list)
    text: str = ""

    def option(self, name, default=None):
        for word in self.words:
            if word.startswith(name + "="):
                return word.removeprefix(name + "=")
        return default


def blocks(document):
    """Yields the fenced blocks of a Markdown text, in order."""
    found, open_block = [], None
    for number, line in enumerate(document.splitlines(), start=1):
        fence = re.match(r"```(.*)", line)
        if not fence:
            if open_block:
                open_block.text += line + "\n"
        elif open_block:
            found.append(open_block)
            open_block = None
        else:
            language, *words = fence[1].split() or [""]
            open_block = Block(number, language, words)
    return found


def job_commands(text):
    """Returns the commands of a CI job: the values of `run:` and `script:`. Reads the little YAML that our examples need."""
    commands: list[str] = []
    lines, step = text.splitlines(), ""
    for position, line in enumerate(lines, start=1):
        item = re.match(r"\s*- (?:name:\s*(.*))?", line)
        step = (item[1] or "") if item else step
        key = re.match(r"(\s*(?:- )?)(run|script):\s*(.*)", line)
        if not key or step.startswith("Set up"):
            continue
        is_deeper = re.compile(rf"\s*$|\s{{{len(key[1]) + 1}}}").match
        body = [inner.strip() for inner in itertools.takewhile(is_deeper, lines[position:])]
        if key[3] not in ("", "|"):
            commands.append(key[3])
        elif key[2] == "run":
            commands.append("\n".join(body))
        else:
            commands += [inner.removeprefix("- ") for inner in body if inner.startswith("- ")]
    return commands


def commands_of(block):
    """Returns the commands for bash, without `./dev test`, which runs this program."""
    text = "\n".join(job_commands(block.text)) if block.language == "yaml" else block.text
    kept = [line for line in text.splitlines() if not re.match(r"\S*/dev test\b", line.strip())]
    return "\n".join(kept)


def compared(line, any_number):
    """Returns the line as it is compared: every gap and rule is one character, and every number is N if `any_number`."""
    line = re.sub("==+", "=", " ".join(line.split()))
    return re.sub(r"\d[\d,]*(\.\d+)?", "N", line) if any_number else line


def missing_lines(expected, printed, any_number=False):
    """Returns the lines of `expected` that `printed` does not have in that order."""
    remaining = [compared(line, any_number) for line in printed.splitlines()]
    missing = []
    for line in expected.splitlines():
        wanted = compared(line, any_number)
        if wanted in ("", "..."):
            continue
        if wanted in remaining:
            remaining = remaining[remaining.index(wanted) + 1:]
        else:
            missing.append(line)
    return missing


def environment(build, workspace):
    known = {name: os.environ[name] for name in ("HOME", "TMPDIR", "LANG", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
             if name in os.environ}
    return known | {
        "PATH": f"{build}/bin:{os.environ['PATH']}",
        "CERTILE_BUILD": str(build),
        "GITHUB_STEP_SUMMARY": str(workspace / "step-summary.md"),
    }


def run_document(root, build, document):
    """Yields a finding for each block that does not do what the document shows."""
    with tempfile.TemporaryDirectory(prefix="certile-document-") as name:
        workspace = Path(name)
        for entry in root.iterdir():  # as if the tree were both the current folder and a clone inside it
            if entry.name not in ("build", ".git", ".cache"):
                (workspace / entry.name).symlink_to(entry)
        (workspace / "certile").symlink_to(root)
        (workspace / "build").mkdir()
        (workspace / "build/dev").symlink_to(build)  # documents use the build that ./dev makes
        printed, skipped = "", False
        for block in blocks((root / document).read_text(encoding="utf-8")):
            place, needs, when = f"{document}:{block.line}", block.option("needs"), block.option("when")
            if block.option("file"):
                (workspace / block.option("file")).write_text(block.text, encoding="utf-8")
            elif "output" in block.words and not skipped:
                for line in missing_lines(block.text, printed, block.option("numbers") == "any"):
                    yield f"{place}: this line was not printed: {line}\n{printed}"
            elif "run" in block.words:
                skipped = bool(needs and not shutil.which(needs) or when and not os.environ.get(when))
                if skipped:
                    print(f"{place}: not run, because {needs or when} is not there")
                elif block.option("from"):
                    printed = (build / block.option("from")).read_text(encoding="utf-8")
                else:
                    command = commands_of(block)
                    done = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=workspace, text=True, errors="replace",
                                          env=environment(build, workspace), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                          stderr=subprocess.STDOUT, check=False)
                    printed = done.stdout
                    print(f"{place}: exit code {done.returncode}\n{command}\n{printed}")
                    if done.returncode != int(block.option("exit", "0")):
                        yield f"{place}: exit code {done.returncode}, not {block.option('exit', '0')}"


def main(build, root, document):
    found = list(run_document(Path(root).resolve(), Path(build).resolve(), document))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
