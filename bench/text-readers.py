"""What programs other than the engine read in files of text: a line of JSON in, `{"path", "kind"}`, and one out, `{"text"}` or `{"error"}`.

Needs beautifulsoup4, html5lib, lxml, markdown-it-py and striprtf; messages, tables and JSON are read by Python's own modules.
"""

import csv
import email
import email.policy
import io
import json
import quopri
import re
import sys
import warnings

from bs4 import BeautifulSoup, NavigableString
from lxml import etree
from markdown_it import MarkdownIt
from striprtf.striprtf import rtf_to_text

warnings.simplefilter("ignore")
csv.field_size_limit(10**8)


def decoded(data: bytes) -> str:
    """The letters of a file that does not name their encoding."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            pass
    return data.decode("latin1")


# Encodings as browsers take their names.
browsers = {"iso-8859-1": "cp1252", "us-ascii": "cp1252", "gb2312": "gb18030", "shift_jis": "cp932", "x-sjis": "cp932"}
named = re.compile(rb"<(?:meta\s[^>]*?charset|\?xml[^>]*?encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.I)


def page(data: bytes | str) -> str:
    """The texts of an HTML page, and those of attributes that browsers show."""
    if isinstance(data, bytes):
        name = named.search(data[:4096])
        marked = data[:3] == b"\xef\xbb\xbf" or data[:2] in (b"\xff\xfe", b"\xfe\xff")
        try:
            encoding = name.group(1).decode().lower() if name and not marked else ""
            data = data.decode(browsers.get(encoding, encoding), "replace") if encoding else decoded(data)
        except LookupError:
            data = decoded(data)
    within = {"a", "abbr", "b", "bdi", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark"}
    within |= {"q", "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"}
    texts, attributes = [], []

    def walk(node):
        for child in node.children:
            if type(child) is NavigableString:
                texts.append(str(child))
            if isinstance(child, NavigableString) or child.name in ("script", "style", "template"):
                continue
            values = (child.get(name) for name in ("alt", "title", "placeholder", "aria-label"))
            attributes.extend(value for value in values if isinstance(value, str))
            edge = "" if child.name in within else "\n"
            texts.append(edge)
            walk(child)
            texts.append(edge)

    walk(BeautifulSoup(data, "html5lib"))
    return "".join(texts) + "\n" + "\n".join(attributes)


def tree(data: bytes) -> str:
    """The texts of an XML file."""
    parser = etree.XMLParser(recover=True, resolve_entities=False, huge_tree=True, no_network=True)
    root = etree.fromstring(data, parser)
    texts = []
    for node in root.iter() if root is not None else ():
        name = node.tag.split("}")[-1] if isinstance(node.tag, str) else ""
        if name and name not in ("style", "script"):
            texts.append(node.text or "")
        texts.append((node.tail or "") + ("" if name in ("tspan", "a", "b", "i", "span") else "\n"))
    return "".join(texts)


shown = ("subject", "from", "to", "cc", "bcc", "reply-to", "sender", "comments", "keywords")


def message(data: bytes) -> str:
    """The header and the texts of a message, of its parts and of the messages in it."""
    texts = []

    def part(node):
        for name in shown:
            texts.extend(str(value) for value in node.get_all(name) or [])
        texts.append(node.get_filename() or "")
        if node.is_multipart():
            for child in node.get_payload():
                part(child)
        elif node.get_content_maintype() == "text":
            body = node.get_payload(decode=True) or b""
            try:
                text = body.decode(node.get_content_charset() or "utf-8", "replace")
            except LookupError:
                text = decoded(body)
            texts.append(page(text) if node.get_content_subtype() == "html" else text)

    part(email.message_from_bytes(data, policy=email.policy.default))
    return "\n".join(texts)


# Properties of calendars and cards whose values are words of the formats.
words = {"BEGIN", "END", "VERSION", "CALSCALE", "METHOD", "CLASS", "STATUS", "TRANSP", "ACTION", "RRULE", "KIND", "PROFILE"}
line = re.compile(r'^([\w.-]+)((?:;[^":;]*(?:"[^"]*")?[^":;]*)*):(.*)$')


def properties(data: bytes) -> str:
    """The values of the lines of a calendar or card."""
    soft = re.compile(r"(?im)^([^:\n]*QUOTED-PRINTABLE[^:\n]*:)((?:[^\n]*=\r?\n)+)")
    whole = soft.sub(lambda found: found.group(1) + re.sub(r"=\r?\n", "", found.group(2)), decoded(data))
    texts = []
    for each in re.split(r"\r\n|\n|\r", re.sub(r"\r?\n[ \t]", "", whole)):
        found = line.match(each)
        if not found or found.group(1).upper().split(".")[-1] in words:
            continue
        value, parameters = found.group(3), found.group(2)
        if "QUOTED-PRINTABLE" in parameters.upper():
            value = decoded(quopri.decodestring(value.encode()))
        texts.append(re.sub(r"\\[nN]", "\n", value).replace("\\,", ",").replace("\\;", ";"))
        texts.extend(re.findall(r'CN="?([^";:]*)', parameters))
    return "\n".join(texts)


def strings(value) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in strings(part)]


def values(data: bytes) -> str:
    """The strings of a JSON file; the keys of its objects are taken for its markup."""
    return "\n".join(strings(json.loads(decoded(data))))


def notebook(data: bytes) -> str:
    """The sources of a notebook, and the texts of its results."""
    book = json.loads(decoded(data))
    cells = book.get("cells") or [cell for sheet in book.get("worksheets", []) for cell in sheet["cells"]]
    texts = []
    for cell in cells:
        texts.append(cell.get("source", cell.get("input", "")))
        for result in cell.get("outputs", []):
            texts.append(result.get("text") or "")
            texts.extend(text for kind, text in (result.get("data") or {}).items() if kind.startswith("text/"))
    return "\n".join("".join(text) if isinstance(text, list) else str(text) for text in texts)


def table(data: bytes) -> str:
    """The cells of a table, with the commonest mark between them."""
    text = decoded(data)
    mark = max(",;\t|", key=text[:20000].count)
    return "\n".join("\n".join(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=mark))


readers = {
    "html": page,
    "eml": message,
    "rtf": lambda data: rtf_to_text(decoded(data), errors="ignore"),
    "ics": properties,
    "ipynb": notebook,
    "md": lambda data: page(MarkdownIt("commonmark").enable("table").render(decoded(data))),
    "csv": table,
    "json": values,
    "xml": tree,
    "txt": decoded,
}

for request in sys.stdin:
    asked = json.loads(request)
    try:
        with open(asked["path"], "rb") as file:
            answer = {"text": readers[asked["kind"]](file.read())}
    except Exception as error:  # Whatever a reader says of a file.
        answer = {"error": f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps(answer), flush=True)
