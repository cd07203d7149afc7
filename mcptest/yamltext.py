"""YAML as JSON values, with the line and column of each: for files that people write and that must be told where they
are wrong.

Only what JSON can say is taken: no tags, no aliases (a few nested ones can stand for gigabytes), no key twice.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

from mcptest.errors import UsageError
from mcptest.jsontext import pointer

_LARGEST = 16 << 20
_DEEPEST = 100
_TAG = "tag:yaml.org,2002:"
_SCALARS = {"str", "int", "float", "bool", "null"}
_COLLECTIONS = {None, "!", f"{_TAG}map", f"{_TAG}seq"}


class Document(NamedTuple):
    """`places` has line and column, both from 1, of the value at each JSON pointer, `keys` those of the key that stands
    before it."""

    name: str
    value: Any
    places: dict[str, tuple[int, int]]
    keys: dict[str, tuple[int, int]] = {}  # noqa: RUF012 -- never changed

    def where(self, place: str) -> str:
        """`file.yml:3:7`, of the value at a pointer or of the nearest one around it."""
        line, column = self.position(place)
        return f"{self.name}:{line}:{column}"

    def position(self, place: str) -> tuple[int, int]:
        while place not in self.places and place:
            place = place.rpartition("/")[0]
        return self.places.get(place, (1, 1))


def load(path: Path) -> Document:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise UsageError(f"{path} is larger than {_LARGEST >> 20} MiB")
        return read(data.decode("utf-8"), str(path))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 (byte {error.start})") from error


def read(text: str, name: str) -> Document:
    import yaml

    try:
        reading = _Reading(text, name)
        return Document(name, reading.document(), reading.places, reading.keys)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        at = f":{mark.line + 1}:{mark.column + 1}" if mark else ""
        raise UsageError(f"{name}{at}: not YAML: {error.problem or error.context}") from error
    except yaml.YAMLError as error:
        raise UsageError(f"{name}: not YAML: {' '.join(str(error).split())}") from error


class _Reading:
    """One pass over the parser's events."""

    def __init__(self, text: str, name: str) -> None:
        import yaml

        self._yaml: Any = yaml
        self._loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        self._name = name
        self.places: dict[str, tuple[int, int]] = {}
        self.keys: dict[str, tuple[int, int]] = {}

    def document(self) -> Any:
        self._loader.get_event()  # the stream begins
        if self._loader.check_event(self._yaml.StreamEndEvent):
            return None
        self._loader.get_event()  # the document begins
        value = self._value(())
        self._loader.get_event()  # and ends
        if not self._loader.check_event(self._yaml.StreamEndEvent):
            raise self._refusal(self._loader.peek_event(), "a second document in one file")
        return value

    def _value(self, path: tuple[str | int, ...]) -> Any:
        event = self._loader.get_event()
        self.places[pointer(*path)] = (event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, self._yaml.AliasEvent):
            raise self._refusal(event, "aliases are not taken: write the value out")
        if len(path) > _DEEPEST:
            raise self._refusal(event, "nested too deeply")
        if isinstance(event, self._yaml.CollectionStartEvent) and event.tag not in _COLLECTIONS:
            raise self._refusal(event, f"the tag {event.tag!r} is not taken")
        if isinstance(event, self._yaml.SequenceStartEvent):
            return self._items(path)
        if isinstance(event, self._yaml.MappingStartEvent):
            return self._members(path)
        return self._scalar(event)

    def _items(self, path: tuple[str | int, ...]) -> list[Any]:
        items: list[Any] = []
        while not self._loader.check_event(self._yaml.SequenceEndEvent):
            items.append(self._value((*path, len(items))))
        self._loader.get_event()
        return items

    def _members(self, path: tuple[str | int, ...]) -> dict[str, Any]:
        members: dict[str, Any] = {}
        while not self._loader.check_event(self._yaml.MappingEndEvent):
            key = self._loader.get_event()
            if not isinstance(key, self._yaml.ScalarEvent):
                raise self._refusal(key, "a key must be a plain word or text")
            if key.value in members:
                raise self._refusal(key, f"{key.value!r} stands twice")
            self.keys[pointer(*path, key.value)] = (key.start_mark.line + 1, key.start_mark.column + 1)
            members[key.value] = self._value((*path, key.value))
        self._loader.get_event()
        return members

    def _scalar(self, event: Any) -> Any:
        tag = event.tag or self._loader.resolve(self._yaml.ScalarNode, event.value, event.implicit)
        kind = tag.removeprefix(_TAG)
        if event.tag is not None and kind not in _SCALARS:
            raise self._refusal(event, f"the tag {event.tag!r} is not taken")
        if kind not in _SCALARS:
            return event.value  # a date, say, is a text to JSON
        node = self._yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark)
        try:
            value = self._loader.construct_object(node)
        except (ValueError, KeyError) as error:
            raise self._refusal(event, f"{event.value[:40]!r} is no {kind}") from error
        if isinstance(value, float) and not math.isfinite(value):
            raise self._refusal(event, f"{event.value!r} is no number of JSON")
        return value

    def _refusal(self, event: Any, reason: str) -> UsageError:
        mark = event.start_mark
        return UsageError(f"{self._name}:{mark.line + 1}:{mark.column + 1}: {reason}")
