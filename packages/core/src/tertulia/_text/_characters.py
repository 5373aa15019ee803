"""Characters that a reader does not see: which go, and the few that have a reason to stay.

Sources: Unicode 15, Default_Ignorable_Code_Point and General_Category Cf and Cc; UTS 51 (emoji sequences) for the joiner
and the presentation selectors; the Unicode Standard, 23.2, for joiners in cursive and Indic scripts.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["BREAKS", "clean_characters", "strip_controls"]

_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f"
BREAKS = "\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U00013430-\U00013455\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff\ud800-\udfff"
)
_SUSPECT = re.compile(f"[{_CONTROL}\u2028\u2029{_INVISIBLE}]")
_CONTROLS = re.compile(f"[{_CONTROL}]")
_JOINERS = "\u200c\u200d"
_PICTURES = re.compile(
    "[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935"
    "\u2b05-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)
_KEYCAPS = "#*0123456789"
_TONES = re.compile("[\U0001f3fb-\U0001f3ff]")
_JOINING = re.compile(
    "[\u0600-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u18aa\u1900-\u1aaf\u1b00-\u1c4f\ua840-\ua87f\ua8e0-\ua9df"
    "\uaa00-\uaa7f\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00010fff\U00011000-\U00011fff]"
)
_MONGOLIAN = re.compile("[\u1820-\u18aa]")
_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def strip_controls(text: str) -> str:
    """Remove C0 (but tab and line feed), DEL and C1: what no text may carry out of here."""
    return _CONTROLS.sub("", text)


def clean_characters(text: str) -> tuple[str, int]:
    """Remove what a reader does not see; give the text and how many characters went.

    Line breaks other than LF become a space, lone surrogates U+FFFD; both are replaced, not counted.
    """
    if (_CONTROLS if text.isascii() else _SUSPECT).search(text) is None:
        return text, 0
    parts: list[str] = []
    place = removed = 0
    last = ""
    for found in _SUSPECT.finditer(text):
        at = found.start()
        if at > place:
            parts.append(text[place:at])
            last = text[at - 1]
        char = found.group()
        kept = _kept(char, last, text, at, parts)
        removed += not kept
        if kept:
            parts.append(kept)
            last = kept
        place = at + 1
    parts.append(text[place:])
    return "".join(parts), removed


def _kept(char: str, last: str, text: str, at: int, parts: list[str]) -> str:
    """Give what stays of one suspect character: itself, its replacement, or nothing."""
    if char in BREAKS:
        return " "
    if "\ud800" <= char <= "\udfff":
        return "\ufffd"
    if char in _JOINERS:
        return char if _joins(char, last, text[at + 1 : at + 2], parts) else ""
    if "\ufe00" <= char <= "\ufe0f" or "\u180b" <= char <= "\u180f":
        return char if _selects(char, last) else ""
    return ""


def _joins(char: str, last: str, following: str, parts: list[str]) -> bool:
    if not last or not following or last in _JOINERS or _SUSPECT.match(following):
        return False
    if _JOINING.match(last) and _JOINING.match(following):
        return _is_letter(last) and _is_letter(following)
    if char != "\u200d" or not _PICTURES.match(following):
        return False
    return bool(_PICTURES.match(last) or _TONES.match(last) or (last == "\ufe0f" and _after_picture(parts)))


def _after_picture(parts: list[str]) -> bool:
    """Say whether the selector just kept stands behind a picture."""
    return len(parts) > 1 and bool(parts[-2]) and _PICTURES.match(parts[-2][-1]) is not None


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LM"


def _selects(char: str, last: str) -> bool:
    """Say whether one selector has a base to select: a run of them, or one behind a plain letter, carries data."""
    if not last:
        return False
    if char in "\ufe0e\ufe0f":
        return _PICTURES.match(last) is not None or last in _KEYCAPS
    if "\ufe00" <= char <= "\ufe02" and _IDEOGRAPH.match(last):
        return True
    if char == "\ufe00":
        return unicodedata.category(last) == "Sm"
    return char != "\u180e" and "\u180b" <= char <= "\u180f" and _MONGOLIAN.match(last) is not None
