"""What each revision demands, as data: the YAML files under `corpus/`, and those of a user's registry.

    corpus/v2025-03-26/revision.yaml     extends: v2024-11-05
    corpus/v2025-03-26/jsonrpc.yaml      rules: {JSONRPC-010: {...}}   removes: [...]

A revision says what differs from the one it extends; loaded, each is complete. Everything is checked when it is loaded:
an unknown key, rule or parameter is a mistake of ours or of whoever wrote the registry, and never passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from mcptest import schemas
from mcptest.compliance.rule import Rule
from mcptest.errors import UsageError
from mcptest.findings import Severity

SHIPPED = Path(__file__).parent / "corpus"
_LEVELS = {"must": Severity.ERROR, "should": Severity.WARNING, "info": Severity.INFO}
_NEEDED = ("text", "level", "binds", "page", "decide")
_SPECIFICATION = "https://modelcontextprotocol.io/specification"
_SOURCES = "https://github.com/modelcontextprotocol/modelcontextprotocol/blob/main/schema"
_FIRST_SCHEMA_PAGE = "2025-06-18"
UNDECIDED = ("probe", "never")  # what no capture can show


class Demand(NamedTuple):
    """One rule in one revision. `decide`: from any capture, from one that holds the right stimulus, by a probe only, or
    never. `pending`: not written yet."""

    rule: str
    text: str
    severity: Severity
    binds: str
    page: str
    decide: str
    transport: tuple[str, ...] = ()
    why: str | None = None
    expect: Mapping[str, Any] = {}
    pending: bool = False

    @property
    def level(self) -> str:
        return next(name for name, severity in _LEVELS.items() if severity is self.severity)

    @property
    def family(self) -> str:
        return self.rule.rpartition("-")[0]


class Corpus(NamedTuple):
    """A whole revision, by its name: `v2025-11-25`, `draft`."""

    name: str
    demands: Mapping[str, Demand]

    def url(self, rule: str) -> str:
        """The page of the specification that a rule stands on."""
        return page_url(self.name, self.demands[rule].page)


class Corpora:
    def __init__(self, corpora: Mapping[str, Corpus]) -> None:
        self._corpora = dict(sorted(corpora.items(), key=lambda item: item[0]))

    def __iter__(self) -> Iterator[Corpus]:
        """Oldest first; the draft is the last."""
        names = sorted(self._corpora, key=lambda name: (not name.startswith("v"), name))
        return (self._corpora[name] for name in names)

    @property
    def names(self) -> list[str]:
        return [corpus.name for corpus in self]

    def named(self, pin: str) -> Corpus:
        """The corpus that a user pins."""
        if pin not in self._corpora:
            near = get_close_matches(pin, self.names, n=1, cutoff=0.4)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UsageError(f"unknown compliance spec_version: {pin}{hint} (accepted: {', '.join(self.names)})")
        return self._corpora[pin]

    def of(self, revision: str) -> Corpus | None:
        """The corpus of a revision as it is spelt on the wire."""
        return self._corpora.get(name_of(revision))


def name_of(revision: str) -> str:
    return f"v{revision}" if revision[:1].isdigit() else revision


def revision_of(name: str) -> str:
    return name[1:] if name[:1] == "v" and name[1:2].isdigit() else name


def page_url(corpus: str, page: str) -> str:
    """Where a page of the specification is found; an extension's page, which stands elsewhere, is written in full."""
    if page.startswith("https://"):
        return page
    revision = revision_of(corpus)
    path, mark, section = page.partition("#")
    if path == "schema" and revision < _FIRST_SCHEMA_PAGE:
        return f"{_SOURCES}/{revision}/schema.ts"
    path = path.removesuffix("/index")
    return f"{_SPECIFICATION}/{revision}/{path}{mark}{section.lower()}"


def load(rules: Mapping[str, Rule], registry: Path | None = None) -> Corpora:
    """All corpora; those of a registry are added to the shipped ones, or stand in their place."""
    shipped = _Loader(SHIPPED, {}, rules, known=None).load()
    if registry is None:
        return Corpora(shipped)
    if not registry.is_dir():
        raise UsageError(f"--registry {registry}: no such folder")
    known = {rule for corpus in shipped.values() for rule in corpus.demands}
    return Corpora({**shipped, **_Loader(registry, shipped, rules, known).load()})


class _Loader:
    """Reads the revisions of one folder, each after the one it extends."""

    def __init__(
        self, folder: Path, shipped: Mapping[str, Corpus], rules: Mapping[str, Rule], known: set[str] | None
    ) -> None:
        self._folder, self._shipped, self._rules, self._known = folder, shipped, rules, known
        self._loaded: dict[str, Corpus] = {}
        self._loading: list[str] = []

    def load(self) -> dict[str, Corpus]:
        for folder in sorted(self._folder.iterdir()):
            if folder.is_dir() and not folder.name.startswith(("_", ".")):
                self._revision(folder.name)
        if not self._loaded:
            raise UsageError(f"{self._folder} holds no corpus: it needs a folder per revision with YAML files in it")
        return self._loaded

    def _revision(self, name: str) -> Corpus:
        if name in self._loaded:
            return self._loaded[name]
        if name in self._loading:
            raise UsageError(f"{self._folder}: the revisions {' and '.join(self._loading)} extend each other")
        self._loading.append(name)
        files = [(path, _read(path)) for path in sorted((self._folder / name).glob("*.yaml"))]
        parents = {content["extends"]: path for path, content in files if "extends" in content}
        if len(parents) > 1:
            raise UsageError(f"{self._folder / name} extends two revisions: {', '.join(sorted(parents))}")
        demands: dict[str, Demand] = {}
        for parent, path in parents.items():
            demands.update(self._parent(name, parent, path).demands)
        for path, content in files:
            self._apply(path, content, demands)
        self._loading.remove(name)
        self._loaded[name] = Corpus(name, dict(sorted(demands.items())))
        return self._loaded[name]

    def _parent(self, name: str, parent: str, path: Path) -> Corpus:
        if parent != name and (self._folder / parent).is_dir():
            return self._revision(parent)
        if parent in self._shipped:
            return self._shipped[parent]
        raise UsageError(f"{path}: extends {parent!r}, which is not there")

    def _apply(self, path: Path, content: dict[str, Any], demands: dict[str, Demand]) -> None:
        for rule in content.get("removes", ()):
            if rule not in demands:
                raise UsageError(f"{path}: removes {rule}, which the revision does not have")
            del demands[rule]
        for rule, given in content.get("rules", {}).items():
            demands[rule] = demand = _demand(rule, given, demands.get(rule), path)
            self._check(demand, path)

    def _check(self, demand: Demand, path: Path) -> None:
        rule = self._rules.get(demand.rule)
        if rule is None:
            excused = demand.pending or demand.decide in UNDECIDED
            if not excused if self._known is None else demand.rule not in self._known:
                near = get_close_matches(demand.rule, sorted({*self._rules, *(self._known or ())}), n=1)
                raise UsageError(f"{path}: unknown rule {demand.rule}" + (f"; did you mean {near[0]}?" if near else ""))
            return
        if demand.decide in UNDECIDED:
            raise UsageError(f"{path}: {demand.rule} is checked by {rule.origin}, so it does not need a probe")
        for key in sorted(set(demand.expect) ^ rule.expects):
            what = "lacks" if key in rule.expects else "has the unknown"
            known = ", ".join(sorted(rule.expects)) or "none"
            raise UsageError(f"{path}: {demand.rule}: expect {what} parameter {key!r}; the rule knows: {known}")


def _demand(rule: str, given: dict[str, Any], inherited: Demand | None, path: Path) -> Demand:
    if inherited is None:
        for key in _NEEDED:
            if key not in given:
                raise UsageError(f"{path}: {rule}: {key} is missing")
        inherited = Demand(rule, "", Severity.INFO, "", "", "")
    changes: dict[str, Any] = {key: value for key, value in given.items() if key not in ("level", "transport")}
    if "level" in given:
        changes["severity"] = _LEVELS[given["level"]]
    if "transport" in given:
        changes["transport"] = tuple(given["transport"])
    return inherited._replace(**changes)


# ---- YAML


_Loads: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Strict(_Loads):  # type: ignore[misc]
    """Refuses a key that stands twice, of which the first would silently be lost."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen = set()
        for key, _ in node.value:
            if key.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"{key.value!r} stands twice", key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


_SCHEMA: list[schemas.Validator] = []


def _read(path: Path) -> dict[str, Any]:
    import orjson

    if not _SCHEMA:
        _SCHEMA.append(schemas.Validator(orjson.loads((SHIPPED / "schema.json").read_bytes())))
    try:
        text = path.read_text(encoding="utf-8")
        # A few nested aliases can stand for gigabytes, and nobody needs one here.
        if "*" in text and any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, _Loads)):
            raise UsageError(f"{path}: aliases are not used in a corpus")
        content = yaml.load(text, _Strict)  # noqa: S506  (a safe loader, made stricter)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{path}: cannot read the corpus: {' '.join(str(error).split())}") from error
    content = {} if content is None else content
    try:
        problems = _SCHEMA[0].problems(content, most=1)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{path}: {error}") from error
    for problem in problems:
        raise UsageError(f"{path}: {problem.pointer or 'the file'}: {problem.message}")
    assert isinstance(content, dict)
    return content
