"""Refuse a site whose pages would fetch something from elsewhere, or show a broken picture.

Run as `python docs/_site/check_site.py FOLDER`; ends with an error and the list of what is wrong.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}
LINKED = {"stylesheet", "preload", "preconnect", "icon", "modulepreload", "dns-prefetch"}
FETCHED = re.compile(r"(?:@import\s+|url\(\s*)[\"']?(?:https?:)?//")


class Page(HTMLParser):
    """What a page loads when it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in LOADED:
            self.addresses.append(given.get(LOADED[tag], ""))
        if tag == "link" and LINKED & set(given.get("rel", "").split()):
            self.addresses.append(given.get("href", ""))


def problems_of(page: Path) -> list[str]:
    reader = Page()
    reader.feed(page.read_text(encoding="utf-8"))
    found = []
    for address in filter(None, reader.addresses):
        parts = urlsplit(address)
        if parts.netloc:
            found.append(f"{page}: fetches {address}")
        elif not parts.scheme and not (page.parent / unquote(parts.path)).is_file():
            found.append(f"{page}: {address} is not there")
    return found


def main(folder: Path) -> int:
    in_static = folder / "_static"  # the theme keeps a template there
    pages = [page for page in sorted(folder.rglob("*.html")) if in_static not in page.parents]
    found = [problem for page in pages for problem in problems_of(page)]
    for sheet in sorted(folder.rglob("*.css")):
        if FETCHED.search(sheet.read_text(encoding="utf-8")):
            found.append(f"{sheet}: fetches something")
    print("\n".join(found) or f"{len(pages)} pages in {folder}, none of which fetches anything")
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
