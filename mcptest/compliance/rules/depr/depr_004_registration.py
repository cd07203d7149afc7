"""A client does not register itself where it could name a document about itself instead.

Dynamic registration is deprecated since 2026-07-28. It is warned about where the authorization server's metadata,
recorded before, says that it takes client ID metadata documents; elsewhere there may be no other way.
"""

from mcptest.compliance.kit import Context, HttpExchange, Remarks
from mcptest.compliance.rules.auth._flow import document, flow_of, registrations

ID = "DEPR-004"
ON = registrations


def check(registration: HttpExchange, context: Context) -> Remarks:
    metadata = flow_of(context.history).metadata_for(registration)
    if metadata is not None and document(metadata).get("client_id_metadata_document_supported") is True:
        yield "The client registers itself, and the authorization server takes client ID metadata documents"
