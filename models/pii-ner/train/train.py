"""
Trains the tagger: python train.py --data DIR --base DIR --out DIR --steps N --decay N [--start FILE] [--threads 2] [--bfloat16]

DIR of --data holds ner/*.jsonl.gz and open/*.jsonl, DIR of --base the pretrained model (model.safetensors,
tokenizer.json); --start goes on from the weights of an earlier run. The learning rate rises for 60 steps, stays, and
falls to nothing over the last --decay steps, so that a run may be made longer until then. A run that was stopped goes on
from its last checkpoint when started again with the same arguments.
"""

import argparse
import hashlib
import json
import math
import os
import random
import sys
import time
from pathlib import Path

import torch
from tokenizers import Tokenizer

import features as f
import sources
from generate import KNOWN, Writer
from negatives import sentence
from model import Tagger, stored

GENERATED = {"en": 8000, "es": 900, "de": 1000, "pt": 1500, "sv": 1500, "da": 700, "no": 400, "fr": 400, "it": 250,
             "nl": 250, "pl": 250}
HARMLESS = {"sv": 3000, "da": 1000, "pt": 2500}
REPEAT = {"wikigold": 3, "tab": 2}
WINDOW, BATCH = 126, 2048
UNKNOWN = math.log(0.2)  # a piece outside all spans is more likely nothing than a type that its source does not mark


def harvest(root):
    """Names as they stand in the annotated English sets, to fill templates with."""
    found = {"PERSON": set(), "LOCATION": set(), "ORGANIZATION": set()}
    for name, rows in sources.token_sets(root, random.Random(0)):
        if name in ("wikigold", "broad-twitter", "wnut17-train"):
            for text, spans, _ in rows:
                for start, end, kinds in spans:
                    if len(kinds) == 1 and kinds[0] in found and text[start].isupper() and end - start > 3:
                        found[kinds[0]].add(text[start:end])
    return {k: sorted(v) for k, v in found.items()}


def swapped(rows, harvested, writer, rng):
    """The same sentences about other people and places: every name replaced in about every third sentence."""
    for text, spans, known in rows:
        if spans and rng.random() < 0.35:
            out, moved, at = "", [], 0
            for start, end, kinds in sorted(spans):
                if start < at:
                    continue
                out += text[at:start]
                value = text[start:end]
                if kinds == ("PERSON",) and value[0].isupper():
                    value = writer.fill("PERSON" if " " in value else rng.choice(["FIRST", "LAST"]), "en")
                elif kinds == ("LOCATION",) and value[0].isupper() and rng.random() < 0.5:
                    value = writer.fill(rng.choice(["CITY", "CITY", "COUNTRY"]), "en").removeprefix("the ")
                elif kinds == ("ORGANIZATION",) and value[0].isupper() and rng.random() < 0.4:
                    value = rng.choice(harvested["ORGANIZATION"])
                moved.append((len(out), len(out) + len(value), kinds))
                out += value
                at = end
            text, spans = out + text[at:], moved
        yield text, spans, known


def recased(ids, casing, allowed, rng):
    """Now and then a text in one case only, as people type it."""
    x = rng.random()
    if x < 0.1:
        casing = [c if c % 8 not in (f.TITLE, f.UPPER, f.INITIAL, f.MIXED) else c - c % 8 + f.LOWER for c in casing]
    elif x < 0.13:
        casing = [c - c % 8 + f.TITLE if c % 8 == f.LOWER else c for c in casing]
    elif x < 0.16:
        casing = [c if c % 8 not in (f.TITLE, f.LOWER) else c - c % 8 + f.UPPER for c in casing]
    return ids, casing, allowed


def epoch(args, number, tokenizer, harvested, nameless={}):
    """Windows of one epoch, shuffled: (ids, casing, allowed). `nameless` are more lines, with how many of them are taken."""
    rng = random.Random(args.seed * 1000 + number)
    writer = Writer(args.seed * 1000 + number, harvested)
    groups = dict(sources.token_sets(args.data, rng))
    for name in ("wikigold", "broad-twitter", "wnut17-train"):
        groups[name] = list(swapped(groups[name], harvested, writer, rng))
    groups["meddocan"] = list(sources.meddocan(args.data, rng))
    groups["tab"] = list(sources.tab(args.data, rng))
    for lang, count in GENERATED.items():
        groups[f"generated-{lang}"] = list(writer.texts(lang, count))
    for lang, count in HARMLESS.items():
        groups[f"harmless-{lang}"] = [(sentence(lang, rng), [], KNOWN) for _ in range(count)]
    for name, (lines, most) in nameless.items():
        groups[name] = [(line, [], KNOWN) for line in rng.sample(lines, min(most, len(lines)))]
    windows, sizes = [], {}
    for name, rows in groups.items():
        ordered = name in ("meddocan", "tab")
        for _ in range(REPEAT.get(name, 1)):
            if not ordered:
                rng.shuffle(rows)
            ids, casing, allowed = [], [], []
            target = rng.choice([24, 48, 96, WINDOW])
            for text, spans, known in rows:
                a, b, c = recased(*f.encode(tokenizer, text, spans, known), rng)
                while len(ids) + len(a) > WINDOW or (len(ids) + len(a) > target and ids):
                    room = WINDOW - len(ids)
                    if ids and (len(a) <= WINDOW or room < 32):
                        windows.append((ids, casing, allowed))
                        ids, casing, allowed = [], [], []
                    else:
                        cut = min(room, len(a))
                        windows.append((ids + a[:cut], casing + b[:cut], allowed + c[:cut]))
                        a, b, c = a[cut:], b[cut:], c[cut:]
                        ids, casing, allowed = [], [], []
                    target = rng.choice([24, 48, 96, WINDOW]) if not ordered else WINDOW
                ids, casing, allowed = ids + a, casing + b, allowed + c
            if ids:
                windows.append((ids, casing, allowed))
        sizes[name] = len(rows)
    rng.shuffle(windows)
    return windows, sizes, rng


def batches(windows, rng):
    """Windows of like length together, each batch of about BATCH pieces."""
    chunk = 2048
    out = []
    for at in range(0, len(windows), chunk):
        part = sorted(windows[at:at + chunk], key=lambda w: len(w[0]))
        i = 0
        while i < len(part):
            j, longest = i, 0
            while j < len(part) and (j - i + 1) * (max(longest, len(part[j][0])) + 2) <= BATCH:
                longest = max(longest, len(part[j][0]))
                j += 1
            out.append(part[i:j])
            i = j
    rng.shuffle(out)
    return out


class Masks:
    """Allowed labels as rows of log weights: 0 allowed, log 0.2 unlikely, minus infinity impossible."""

    def __init__(self):
        self.index, self.rows = {}, []

    def of(self, bits):
        if bits not in self.index:
            self.index[bits] = len(self.rows)
            unsure = bits & f.OUTSIDE and bits != f.ANY
            self.rows.append([-1e4 if not bits >> i & 1 else UNKNOWN if unsure and i else 0.0 for i in range(len(f.LABELS))])
        return self.index[bits]


def tensors(batch, masks):
    longest = max(len(w[0]) for w in batch) + 2
    ids, casing, attend, allowed = [], [], [], []
    for a, b, c in batch:
        pad = longest - len(a) - 2
        ids.append([101, *a, 102] + [0] * pad)
        casing.append([0, *b, 0] + [0] * pad)
        attend.append([True] * (len(a) + 2) + [False] * pad)
        allowed.append([masks.of(f.ANY), *(masks.of(x) for x in c)] + [masks.of(f.ANY)] * (pad + 1))
    return torch.tensor(ids), torch.tensor(casing), torch.tensor(attend), torch.tensor(masks.rows)[torch.tensor(allowed)]


def fix_hashes():
    """Starts the program anew where hashes of strings differ by run: Faker draws Italian cities from a set."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})


def reader(base):
    """The tokenizer of the pretrained model, cutting nothing off."""
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def digest(weights):
    return hashlib.sha256(b"".join(value.numpy().tobytes() for value in weights.values())).hexdigest()


def options(rate):
    """The arguments of every training."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--bfloat16", action="store_true", help="multiply in bfloat16, half again as fast where the processor can")
    return parser


def begin(args):
    fix_hashes()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    torch.use_deterministic_algorithms(True)


def steps(args, done, nameless={}):
    """Number and batch of every step after the first `done`, epoch after epoch."""
    tokenizer, harvested, masks = reader(args.base), harvest(args.data), Masks()
    at, number = 0, 0
    while max(at, done) < args.steps:
        windows, sizes, rng = epoch(args, number, tokenizer, harvested, nameless)
        todo = batches(windows, rng)
        print(json.dumps({"epoch": number, "pieces": sum(len(w[0]) for w in windows), "windows": len(windows),
                          "steps": len(todo), "sizes": sizes}), flush=True)
        for batch in todo:
            at += 1
            if done < at <= args.steps:
                yield at, tensors(batch, masks)
        number += 1


def save(state, path):
    """Writes a checkpoint so that a stop in between leaves the one before."""
    torch.save(state, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").replace(path)


def main():
    parser = options(2e-4)
    parser.add_argument("--start", type=Path, help="weights to begin with instead of those of --base")
    parser.add_argument("--decay", type=int, required=True)
    args = parser.parse_args()
    begin(args)
    net = Tagger(len(f.LABELS), f.FEATURES)
    if args.start:
        net.load_state_dict(stored(args.start))
    else:
        net.start_from(args.base / "model.safetensors")
    dense = [p for n, p in net.named_parameters() if n != "words.weight"]
    head = [p for n, p in net.named_parameters() if n.startswith(("head", "casing"))]
    body = [p for p in dense if not any(p is h for h in head)]
    optimisers = [torch.optim.AdamW([{"params": body, "lr": args.rate}, {"params": head, "lr": args.rate * 5}],
                                    weight_decay=0.01, fused=True),
                  torch.optim.SparseAdam([net.words.weight], lr=args.rate / 2)]
    rates = [[g["lr"] for g in o.param_groups] for o in optimisers]
    done, total, saved = 0, args.steps, args.out / "checkpoint.pt"
    if saved.exists():
        state = torch.load(saved)
        net.load_state_dict(state["net"])
        for o, s in zip(optimisers, state["optimisers"]):
            o.load_state_dict(s)
        done = state["step"]
        print("resumed at step", done, flush=True)
    net.train()
    began, seen, shown = time.time(), 0, 0.0
    for step, (ids, casing, attend, weights) in steps(args, done):
        scale = min(1.0, step / 60, (total - step + 1) / args.decay)
        for o, r in zip(optimisers, rates):
            for g, lr in zip(o.param_groups, r):
                g["lr"] = lr * scale
        with torch.autocast("cpu", torch.bfloat16, enabled=args.bfloat16):
            logits = net(ids, casing, attend)
        logits = logits.float()
        loss = (logits.logsumexp(-1) - (logits + weights).logsumexp(-1)).sum() / attend.sum()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(dense, 1.0)
        for o in optimisers:
            o.step()
            o.zero_grad(set_to_none=True)
        seen += int(attend.sum())
        shown += loss.item()
        if step % 50 == 0:
            print(f"{step}/{total} loss {shown / 50:.4f} pieces/s {seen / (time.time() - began):.0f}", flush=True)
            shown = 0.0
        if step % 100 == 0 or step == total:
            save({"net": net.state_dict(), "optimisers": [o.state_dict() for o in optimisers], "step": step}, saved)
    torch.save(net.state_dict(), args.out / "weights.pt")
    print("done, SHA-256 of the weights", digest(net.state_dict()), flush=True)


if __name__ == "__main__":
    main()
