"""A badge for a README: one small SVG that needs no font, no script and no network."""

from __future__ import annotations

from xml.sax.saxutils import escape

from mcptest.compliance.grade import Scorecard

_LABEL = "MCP compliance"
_HEIGHT, _PADDING, _SIZE = 20, 7, 11
# White text stands out against each of them with a contrast of 4.5 or more.
_COLOURS = {"A+": "#1b7a3d", "A": "#2a7d2e", "B": "#4d7a12", "C": "#8a6a00", "D": "#b04d00", "F": "#b3261e"}
_UNGRADED, _LEFT = "#6a6f76", "#3c4148"
_NARROW, _WIDE = frozenset("il.,:'|!fjt ·()"), frozenset("mwMW%@")


def draw_badge(card: Scorecard) -> str:
    """`MCP compliance | A 94.2`; whoever cannot see it is read the sentence of the scorecard."""
    value = "not graded" if card.grade is None else f"{card.grade} · {card.score:g}"
    left, right = _width(_LABEL), _width(value)
    whole = left + right
    colour = _UNGRADED if card.grade is None else _COLOURS[card.grade]
    title = escape(f"{_LABEL}: {card.line}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="{_HEIGHT}" role="img">\n'
        f"<title>{title}</title>\n"
        f'<clipPath id="edge"><rect width="{whole}" height="{_HEIGHT}" rx="4"/></clipPath>\n'
        f'<g clip-path="url(#edge)">'
        f'<rect width="{left}" height="{_HEIGHT}" fill="{_LEFT}"/>'
        f'<rect x="{left}" width="{right}" height="{_HEIGHT}" fill="{colour}"/></g>\n'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="{_SIZE}" text-anchor="middle">'
        f"{_text(_LABEL, 0, left)}{_text(value, left, right)}</g>\n"
        "</svg>\n"
    )


def _text(text: str, x: int, width: int) -> str:
    """Stretched to the place it was given, whichever font the reader has."""
    room = width - 2 * _PADDING
    return f'<text x="{x + width / 2:g}" y="14" textLength="{room}">{escape(text)}</text>'


def _width(text: str) -> int:
    letters = sum(4.0 if one in _NARROW else 10.0 if one in _WIDE else 7.2 for one in text)
    return round(letters) + 2 * _PADDING
