"""What the matcher looks for. Plain bytes, so that a recorder starts without loading the rules.

Every name that `Names.kind` takes for a secret's must contain one of NAMES, and every prefix in `prefixes` must begin
with its literal; tests hold them together.
"""

NAMES = (
    *(
        b"passw",
        b"passphrase",
        b"passcode",
        b"_pass",
        b"-pass",
        b'"pass',
        b"pass=",
        b"pwd",
        b"secret",
        b"token",
        b"credential",
    ),
    *(b"_key", b"-key", b"api key", b"apikey", b"accesskey", b"privatekey", b"accountkey", b"signingkey", b"authkey"),
    *(b"encryptionkey", b"subscriptionkey", b"masterkey", b"sessionkey", b"rolekey", b'_pat"', b"_pat="),
    *(b"authorization", b"cookie", b"bearer", b"jwt", b"connectionstr", b"connection_str", b"connection-str"),
    *(b"code_verifier", b"codeverifier", b"device_code", b"devicecode", b"client_assertion", b"clientassertion"),
    b"samlresponse",
)
# Frequent in MCP traffic and harmless: they take the place of the `token` that they contain.
HARMLESS_NAMES = (b'progresstoken"', b'maxtokens"')
# Names only in a query, where `?` or `&` stands before them.
QUERY_KEYS = (b"code=", b"key=", b"sig=", b"signature=")
BASIC = b"basic "
OAUTH = b"grant_type"

URLS = (b"://", b":\\/", b":\\\\/")
PEM = b"-----BEGIN "
# Letters, `_` and `-` written as escapes could keep a name or a prefix from being found.
ESCAPES = (b"\\u004", b"\\u005", b"\\u006", b"\\u007", b"\\u002d", b"\\u002D")
JWT = b"eyJ"
PREFIXES = (
    *(b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"github_pat_", b"glpat-", b"glrt-", b"gldt-", b"dckr_pat_"),
    *(
        b"sk-",
        b"sk_live_",
        b"sk_test_",
        b"rk_live_",
        b"whsec_",
        b"AKIA",
        b"ASIA",
        b"LTAI",
        b"AIza",
        b"GOCSPX-",
        b"ya29.",
    ),
    *(
        b"1//0",
        b"xox",
        b"xapp-",
        b"hooks.slack.com",
        b"api.telegram.org",
        b"hf_",
        b"npm_",
        b"pypi-",
        b"SG.",
        b"dop_v1_",
    ),
    *(b"shpat_", b"shpss_", b"lin_api_", b"ntn_", b"figd_", b"sntrys_", b"hvs.", b"gsk_", b"xai-", b"nvapi-", b"pplx-"),
    *(b"tvly-", b"sbp_", b"glsa_", b"dapi", b"tskey-", b"lsv2_", b"ATATT3", JWT),
)
VALUES = (*URLS, PEM, *ESCAPES, *PREFIXES)
