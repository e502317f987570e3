"""Every relative link of the documents leads to a file, and to a heading in it: links.py REPOSITORY"""

import pathlib
import re
import sys

repository = pathlib.Path(sys.argv[1])
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.*?) *$", re.MULTILINE)
CODE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def anchors(document):
    """As GitHub makes them: lower case, blanks to dashes, all else that is no word dropped."""
    text = CODE.sub("", document.read_text())
    return {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in HEADING.findall(text)}


documents = [*repository.glob("*.md"), *repository.glob("docs/**/*.md")]
broken = []
for document in documents:
    for link in LINK.findall(CODE.sub("", document.read_text())):
        if "://" in link:
            continue
        name, _, anchor = link.partition("#")
        target = document.parent / name if name else document
        good = target.exists() and (not anchor or anchor in anchors(target))
        if not good:
            broken.append(f"{document.relative_to(repository)}: {link}")
print("\n".join(broken) or f"{len(documents)} documents, no broken link")
sys.exit(bool(broken))
