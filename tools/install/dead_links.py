#!/usr/bin/env python3
"""dead_links.py FOLDER: prints each relative link of the Markdown files below a folder that leads nowhere; exit code 1 if one does."""
import re
import sys
from pathlib import Path


def dead_links(root, paths):
    """Yields the path, the number of the line, and the link, of the documents at these paths from the root."""
    for path in paths:
        for number, line in enumerate((root / path).read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", line):
                if "://" not in link and not (root / path.parent / link).exists():
                    yield path, number, link


def main(folder):
    root = Path(folder)
    documents = [path.relative_to(root) for path in sorted(root.rglob("*.md"))]
    found = [f"{path}:{number}: the link to {link} leads nowhere" for path, number, link in dead_links(root, documents)]
    print("\n".join([*found, f"{len(found)} dead links in {len(documents)} documents of {root}"]))
    return 1 if found or not documents else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
