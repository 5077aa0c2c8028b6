"""Names and messages that try to be more than text: markup, scripts, escapes, directions, commands."""
import itertools
import re
import unicodedata

PAYLOADS = [
    "<script>window.hacked = 1</script>", "</script><script>window.hacked = 1</script>", "<img src=x onerror=window.hacked=1>",
    "<svg onload=window.hacked=1>", "javascript:window.hacked=1", "<!--", "-->", "<!DOCTYPE x [<!ENTITY a 'b'>]>", "]]>", "<![CDATA[",
    "&lt;script&gt;", "&#60;b&#62;", "&amp;", "<b>bold</b>", "<style>*{display:none}</style>", "<base href=//example.org>",
    "<meta http-equiv=refresh content=0>", "<iframe src=javascript:window.hacked=1>", "<a href=javascript:window.hacked=1>x</a>",
    "<math><mtext></form><form>", "<template>", "</title>", "</textarea>", "</style>", "<plaintext>", "<noscript>", "{{constructor}}",
    "${window.hacked=1}", "`${1}`", "\\u003cscript\\u003e", "\\x3cscript\\x3e", "%3Cscript%3E", "'", "\"", "\\", "`", "''\"\"",
    "';window.hacked=1;'", "\";window.hacked=1;\"", "\" onclick=window.hacked=1 x=\"", "' autofocus onfocus=window.hacked=1 '",
    "#clause=CT-SELF", "a&state=violated", "__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "NaN", "0",
    "-1", " ", "   ", "\t", "\n", "\r\n", "\r", "a\nfail  other  case", "\x00", "a\x00b", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07",
    "\x1b[2J", "\x9b31m", "\x07", "\x08\x08", "\x7f", "\x85", "\u2028", "\u2029", "\u202eesrever", "\u202dforced",
    "\u2066isolated\u2069", "\u200emark", "\u061cmark", "\u200bwide\u200b", "\ufeff", "\u00ad", "\ufffe", "\uffff", "\U000e0041",
    "\U000e007f", "\u2060", "zero\u200djoin", "\u0600", "\u05d0\u05d1", "\u0627\u0644", "e\u0301" * 40, "\u1160", "\u3164", "😀", "𝕏",
    "日本語", "|a|b|", "# heading", "* item", "```", "~~~", "[x](javascript:window.hacked=1)", "![x](//example.org/x)",
    "<https://example.org>", "www.example.org", "@everyone", "##[error]x", "::error::x", "##vso[task.complete]", "$(touch hacked)",
    "`touch hacked`", "; touch hacked", "| touch hacked", "&& touch hacked", "../../etc/passwd", "C:\\con", "a" * 3000, "<" * 500,
    "=cmd|' /C calc'!A0", "@SCRIPT@", "@DATA@", "@STYLE_POLICY@", "{\"header\":{}}", "{\"footer\":{}}", "\"}]}</script>", "%s%n%x",
    "{0}{}", "\\", "\\\\", "\\n",
]
# Every payload alone, and with each of these around it.
AROUND = ("{}", "\u202e\"><{}>")
HOSTILE = list(dict.fromkeys(frame.format(payload) if "{" not in payload and "}" not in payload else frame.replace("{}", payload)
                             for payload, frame in itertools.product(PAYLOADS, AROUND)))
MARKS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def as_shown(text: str) -> str:
    """Returns the text as the page spells it."""
    def is_harmful(character: str) -> bool:
        code = ord(character)
        return bool(MARKS.match(character)) or code in {0x61C, 0xFFFE, 0xFFFF} or 0xFFF9 <= code <= 0xFFFB or 0xE0000 <= code <= 0xE007F \
            or unicodedata.category(character) == "Cs"
    return "".join(f"\\u{{{ord(character):x}}}" if is_harmful(character) else character for character in text)
