"""A page in a test's hands: takes frames as htmx and conversation.js would, and can be compared."""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "img", "input", "hr", "use", "path"}


@dataclass
class Node:
    """An element; `children` are elements and texts."""

    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def find(self, wanted: str) -> Node | None:
        """The element of an id, itself included."""
        if self.attrs.get("id") == wanted:
            return self
        inner = (child.find(wanted) for child in self.children if isinstance(child, Node))
        return next((item for item in inner if item), None)

    def parent_of(self, child: Node) -> Node:
        """Who holds an element."""
        if any(item is child for item in self.children):
            return self
        for one in self.children:
            if isinstance(one, Node) and one.find_node(child):
                return one.parent_of(child)
        raise LookupError

    def find_node(self, wanted: Node) -> bool:
        """Whether an element is in here."""
        return any(
            child is wanted or child.find_node(wanted)
            for child in self.children
            if isinstance(child, Node)
        )

    def text(self) -> str:
        """All its words as they stand."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)

    def shown(self) -> str:
        """What a person gets of it: elements with id and state, and words, blanks evened out."""
        state = {
            name: self.attrs[name] for name in ("id", "data-state", "href") if name in self.attrs
        }
        inner = " ".join(
            re.sub(r"\s+", " ", item).strip() if isinstance(item, str) else item.shown()
            for item in self.merged()
        )
        return f"<{self.tag} {state}>{inner}</{self.tag}>"

    def merged(self) -> list[Node | str]:
        """Children, with texts that touch as one."""
        found: list[Node | str] = []
        for one in self.children:
            if isinstance(one, str) and found and isinstance(found[-1], str):
                found[-1] += one
            elif not isinstance(one, str) or one.strip():
                found.append(one)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.stack = [Node("body")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.stack[-1].children.append(node)
        if tag not in VOID:
            self.stack.append(node)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.stack[-1].children.append(Node(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.stack.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self.stack[-1].children.append(data)


def parsed(html: str) -> Node:
    """A body with these elements."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert len(reader.stack) == 1, "an element is not closed"
    return reader.stack[0]


class Page:
    """What a browser has made of the frames so far."""

    def __init__(self, html: str) -> None:
        self.body = parsed(html)

    @property
    def cursor(self) -> str:
        """How far it has read."""
        return self._get("log-cursor").attrs.get("data-after", "")

    def copied(self) -> Page:
        """The page as it stands, for another life."""
        return copy.deepcopy(self)

    def take(self, frame: str) -> None:
        """Swaps every fragment of a frame; one without its place is an error."""
        elements = [child for child in parsed(frame).children if isinstance(child, Node)]
        for element in elements:
            if "data-order" in element.attrs:
                self._place(element)
        for element in elements:
            self._swap(element)

    def shown(self) -> str:
        """The talk and the state of the composer."""
        return self._get("log").shown() + self._get("run-state").shown()

    def _get(self, wanted: str) -> Node:
        found = self.body.find(wanted)
        assert found is not None, f"there is no place #{wanted}"
        return found

    def _place(self, element: Node) -> None:
        log, order = self._get("log"), int(element.attrs["data-order"])
        turn = self.body.find(element.attrs["id"])
        if turn is not None and turn.attrs.get("data-order") == str(order):
            return
        if turn is None:
            turn = Node("article", {"id": element.attrs["id"]})
        else:
            log.children = [child for child in log.children if child is not turn]
        turn.attrs["data-order"] = str(order)
        later = [
            at
            for at, item in enumerate(log.children)
            if isinstance(item, Node) and int(item.attrs.get("data-order", 0)) > order
        ]
        log.children.insert(later[0] if later else len(log.children), turn)

    def _swap(self, element: Node) -> None:
        how, _, where = element.attrs.pop("hx-swap-oob", "true").partition(":")
        target = self._get(where.removeprefix("#") or element.attrs["id"])
        if how == "beforeend":
            target.children.extend(element.children)
        elif how == "innerHTML":
            target.children = element.children
        else:
            siblings = self.body.parent_of(target).children
            at = next(at for at, item in enumerate(siblings) if item is target)
            siblings[at : at + 1] = [] if how == "delete" else [element]
