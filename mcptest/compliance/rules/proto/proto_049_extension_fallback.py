"""Nobody uses an extension towards a peer that does not declare it.

`expect.methods` are the requests of official extensions, which need that the server declares the extension, and
`expect.result_types` are the types of results that need that the request declares it. Extensions that we do not know
are not judged, and a server's declarations only if it was discovered.
"""

from mcptest.compliance.kit import CLIENT, SERVER, Context, Exchange, Message, Remarks, remark, requests, results

ID = "PROTO-049"
ON = (requests().of(CLIENT)._replace(noun="uses of extensions"), results().of(SERVER))
EXPECT = {"methods", "result_types"}


def applies(subject: Message | Exchange, context: Context) -> bool:
    if isinstance(subject, Exchange):
        kind = subject.result.get("resultType")
        known = type(kind) is str and kind in context.expect["result_types"]
        return known and subject.modern and subject.request.client_capabilities is not None
    return subject.modern and subject.method in context.expect["methods"] and subject.server_capabilities is not None


def check(subject: Message | Exchange, context: Context) -> Remarks:
    if isinstance(subject, Exchange):
        kind = subject.result["resultType"]
        extension = context.expect["result_types"][kind]
        declared, what, at = subject.request.client_capabilities, f"resultType {kind!r}", "/result/resultType"
    else:
        extension = context.expect["methods"][subject.method]
        declared, what, at = subject.server_capabilities, subject.name, "/method"
    assert declared is not None
    if not declared.declares("extensions", extension):
        yield remark(f"{what} is used towards a peer that does not declare {extension}", at)
