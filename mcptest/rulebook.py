"""Finding rules: those in a package's folder, in a project's own folders, and in other distributions.

Whoever writes rules outside of this project has the same contract as `mcptest.rules` describes, and two ways to add
them: a folder of modules named in the configuration, or an entry point in the group `mcptest.rules` that names a
module or a package of modules.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

from mcptest import plugins
from mcptest.errors import UsageError
from mcptest.findings import Severity
from mcptest.rules import Rule, Selector

ENTRY_POINTS = "mcptest.rules"
_NEEDED = (("ID", str), ("SEVERITY", Severity), ("ON", Selector))


def from_package(package: str) -> list[Rule]:
    return [from_module(module) for module in plugins.load_all(package)]


def from_folder(folder: Path) -> list[Rule]:
    """The rules in a project's own folder: each module that does not start with an underscore."""
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder of rules")
    return [from_module(_import_file(path)) for path in sorted(folder.glob("*.py")) if path.name[0] != "_"]


def from_entry_points() -> list[Rule]:
    from importlib.metadata import entry_points

    return [
        from_module(module)
        for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: point.name)
        for module in _walk(_load(point.load, f"entry point {point.name!r}"))
    ]


def _walk(module: Any) -> Iterator[ModuleType]:
    if not isinstance(module, ModuleType):
        raise UsageError(f"an entry point of the group {ENTRY_POINTS} names {module!r}, not a module")
    if not hasattr(module, "__path__"):
        yield module
        return
    for info in sorted(pkgutil.iter_modules(module.__path__), key=lambda info: info.name):
        if not info.name.startswith("_"):
            name = f"{module.__name__}.{info.name}"
            yield _load(lambda name=name: importlib.import_module(name), name)  # type: ignore[misc]


def _import_file(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"mcptest_rules_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    _load(lambda: spec.loader.exec_module(module), str(path))  # type: ignore[union-attr]
    return module


def _load(load: Callable[[], Any], what: str) -> Any:
    try:
        return load()
    except Exception as error:
        raise UsageError(f"cannot load rules from {what}: {type(error).__name__}: {error}") from error


def from_module(module: ModuleType) -> Rule:
    origin = getattr(module, "__file__", None) or module.__name__
    for name, kind in _NEEDED:
        if not isinstance(getattr(module, name, None), kind):
            raise UsageError(f"{origin} is no rule: it needs {name}, of type {kind.__name__}")
    if not callable(getattr(module, "check", None)):
        raise UsageError(f"{origin} is no rule: it needs a function check")
    manual = inspect.cleandoc(module.__doc__ or "")
    if not manual:
        raise UsageError(f"{origin} is no rule: it needs a docstring, whose first line is the summary")
    summary, _, text = manual.partition("\n")
    options = dict(getattr(module, "OPTIONS", {}))
    rule = Rule(module.ID, module.SEVERITY, module.ON, module.check, summary.strip(), text.strip(), options, origin)
    return configure(rule, {}) if options else rule


def configure(rule: Rule, given: Mapping[str, Any], where: str = "the configuration") -> Rule:
    """The rule with these options in place of its defaults. `severity` is an option of every rule."""
    options = dict(rule.options)
    severity = rule.severity
    for name, value in given.items():
        if name == "severity":
            severity = Severity.named(str(value))
        elif name not in options:
            known = ", ".join(sorted({*options, "severity"}))
            raise UsageError(f"{where}: rule {rule.id} has no option {name!r}; known: {known}")
        elif type(value) is not type(options[name]):
            raise UsageError(f"{where}: option {name!r} of rule {rule.id} must be {type(options[name]).__name__}")
        else:
            options[name] = value
    check = rule.check
    if options:
        module_check: Callable[..., Any] = getattr(check, "__wrapped__", check)

        def check(subject: Any) -> Any:
            return module_check(subject, options)

        check.__wrapped__ = module_check  # type: ignore[attr-defined]
    return rule._replace(severity=severity, check=check, options=options)


def unique(rules: Iterable[Rule]) -> list[Rule]:
    """Sorted by id; two rules with one id are a mistake."""
    found: dict[str, Rule] = {}
    for rule in rules:
        other = found.setdefault(rule.id, rule)
        if other is not rule and other.origin != rule.origin:
            raise UsageError(f"two rules have the id {rule.id}: {other.origin} and {rule.origin}")
    return sorted(found.values(), key=lambda rule: rule.id)


def choose(rules: Sequence[Rule], select: Sequence[str] = (), ignore: Sequence[str] = ()) -> list[Rule]:
    """The rules named by id or by the beginning of one (`SCH`, `SEC-00`); all of them where none is selected."""
    for name in (*select, *ignore):
        if name != "ALL" and not any(rule.id.startswith(name) for rule in rules):
            raise UsageError(f"no rule is called {name!r}{_nearest(name, rules)}")
    kept = [rule for rule in rules if not select or _matches(rule, select)]
    kept = [rule for rule in kept if not _matches(rule, ignore)]
    if not kept:
        raise UsageError("every rule is deselected: nothing would be judged")
    return kept


def _matches(rule: Rule, names: Sequence[str]) -> bool:
    return any(name == "ALL" or rule.id.startswith(name) for name in names)


def _nearest(name: str, rules: Sequence[Rule]) -> str:
    near = get_close_matches(name.upper(), [rule.id for rule in rules] + sorted({rule.family for rule in rules}), n=1)
    return f"; did you mean {near[0]}?" if near else ""
