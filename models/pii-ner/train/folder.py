"""Writes the descriptions of a model folder."""

import hashlib
import json

FILES = ["config.json", "tokenizer.json", "onnx/model_quantized.onnx"]


def write(path, value, indent):
    path.write_text(json.dumps(value, ensure_ascii=False, indent=indent, separators=None if indent else (",", ":")) + "\n")


def digests(folder):
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES}


def sizes(folder):
    return {name: (folder / name).stat().st_size for name in FILES}
