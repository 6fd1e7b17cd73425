"""Reads the messages given as JSON (a list of base64) and prints what their headers say."""

import base64
import json
import sys
from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import default
from email.utils import getaddresses


def said(raw):
    message = message_from_bytes(base64.b64decode(raw), policy=default)
    fields = {}
    for name, value in message.items():
        fields[name.lower()] = str(value)
    # Its newer reader keeps the blanks between the encoded words of a name.
    for name, value in message_from_bytes(base64.b64decode(raw)).items():
        if name.lower() == "to":
            fields["to"] = [[str(make_header(decode_header(shown))), at] for shown, at in getaddresses([value])]
    return {"fields": fields, "filename": message.get_filename(), "boundary": message.get_boundary()}


print(json.dumps([said(raw) for raw in json.load(sys.stdin)]))
