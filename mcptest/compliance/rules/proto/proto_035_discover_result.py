"""What a server tells when it is discovered has the right shape.

`supportedVersions` is a list of strings, `capabilities` an object, `resultType` a string, `ttlMs` a number that is not
negative, `cacheScope` one of two words, and `instructions`, if there are any, a string. A list of versions that is
empty, or that lacks the version of the very request, is warned about.
"""

from collections.abc import Iterator

from mcptest.compliance.kit import SERVER, Exchange, Remark, Remarks, a, remark, results, warning
from mcptest.compliance.rules.proto._parts import claimed, texts

ID = "PROTO-035"
ON = results("server/discover").of(SERVER)
_KINDS = {
    "supportedVersions": (list, "an array"),
    "capabilities": (dict, "an object"),
    "resultType": (str, "a string"),
    "cacheScope": (str, "a string"),
}


def check(exchange: Exchange) -> Remarks:
    result = exchange.result
    for key, (kind, wanted) in _KINDS.items():
        if key not in result:
            yield remark(f"The result has no {key}", "/result")
        elif type(result[key]) is not kind:
            yield remark(f"{key} is {a(result[key])}, not {wanted}", f"/result/{key}")
    ttl = result.get("ttlMs", -1)
    if type(ttl) not in (int, float) or ttl < 0:
        yield remark("ttlMs is no number from 0 on" if "ttlMs" in result else "The result has no ttlMs", "/result")
    if type(result.get("cacheScope")) is str and result["cacheScope"] not in ("public", "private"):
        yield remark(f"cacheScope is {result['cacheScope'][:40]!r}, not public or private", "/result/cacheScope")
    if type(result.get("instructions", "")) is not str:
        yield remark(f"instructions are {a(result['instructions'])}, not a string", "/result/instructions")
    yield from _versions(exchange)


def _versions(exchange: Exchange) -> Iterator[Remark]:
    given, asked, at = exchange.result.get("supportedVersions"), claimed(exchange.request), "/result/supportedVersions"
    if type(given) is not list:
        return
    versions = texts(given)
    if versions is None:
        yield remark("supportedVersions holds something that is no string", at)
    elif not versions:
        yield warning("supportedVersions is empty", at)
    elif asked is not None and asked not in versions:
        yield warning(f"supportedVersions lacks {asked[:40]!r}, in which the request was made", at)
