"""
Trains the tagger: python train.py --base DIR --windows FILE [FILE ...] --out DIR --steps N [--first 2] [--start FILE]

--base is what encoder.py wrote, --windows are epochs that prepare.py made; they are read again from the first when they end.
--start goes on from a tagger instead of the pretrained encoder (after prune.py). The learning rate rises for 60 steps, stays, and falls to
nothing over the last --decay steps. A checkpoint is written every ten minutes; a run that was stopped goes on from the last
one when it is started again, also with more steps, more epochs or another rate: what is done is only the number of steps.
"""

import argparse
import hashlib
import math
import random
import time
from pathlib import Path

import numpy as np
import torch

import features as f
from model import FIRST, LAST, PAD, Tagger, pretrained, shape, stored

UNKNOWN = math.log(0.2)  # a piece outside all spans is more likely nothing than a type that its source does not mark
SAVE_SECONDS = 600


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


def padded(length):
    """Pieces of a row for so many: few lengths, because products of each new shape have to be made ready first."""
    return -(-(length + 2) // 16) * 16


def batches(lengths, pieces, rng):
    """Windows of like length together, each batch of about as many pieces."""
    order, out = list(range(len(lengths))), []
    rng.shuffle(order)
    for at in range(0, len(order), 2048):
        part = sorted(order[at:at + 2048], key=lambda i: lengths[i])
        while part:
            most = 0
            while most < len(part) and (most + 1) * padded(lengths[part[most]]) <= pieces:
                most += 1
            out.append(part[:max(1, most)])
            part = part[max(1, most):]
    rng.shuffle(out)
    return out


def steps(args, done):
    """Number and batch of every step after the first `done`, epoch after epoch."""
    at, number, masks, total = 0, 0, Masks(), args.steps
    while at < total:
        data = np.load(args.windows[number % len(args.windows)])
        lengths, ids, allowed = data["lengths"], data["ids"], data["allowed"]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        for batch in batches(lengths, args.batch, random.Random(args.seed * 1000 + number)):
            at += 1
            if at > total:
                return
            if at > done:
                yield at, tensors([(ids[starts[i]:starts[i + 1]], allowed[starts[i]:starts[i + 1]]) for i in batch], masks)
        number += 1


def tensors(batch, masks):
    longest = padded(max(len(ids) for ids, _ in batch))
    ids = np.full((len(batch), longest), PAD, np.int64)
    rows = np.full((len(batch), longest), masks.of(f.ANY), np.int64)
    for i, (pieces, bits) in enumerate(batch):
        n = len(pieces)
        ids[i, 0], ids[i, 1:n + 1], ids[i, n + 1] = FIRST, pieces, LAST
        rows[i, 1:n + 1] = [masks.of(int(b)) for b in bits]
    ids = torch.from_numpy(ids)
    return ids, ids != PAD, torch.tensor(masks.rows)[torch.from_numpy(rows)]


def loss_of(logits, weights, attend):
    """How unlikely the labels are that may stand there."""
    return (logits.logsumexp(-1) - (logits + weights).logsumexp(-1)).sum() / attend.sum()


def digest(weights):
    return hashlib.sha256(b"".join(value.cpu().numpy().tobytes() for value in weights.values())).hexdigest()


def save(state, path):
    """Writes a checkpoint so that a stop in between leaves the one before."""
    torch.save(state, path.with_suffix(".tmp"))
    path.with_suffix(".tmp").replace(path)


def options(rate):
    """The arguments of every training."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--windows", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--decay", type=int, default=400)
    parser.add_argument("--first", type=int, default=2, help="layers before this one stay as they were pretrained")
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cpu", help="cuda where there is one")
    parser.add_argument("--batch", type=int, default=2048, help="pieces of a step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=rate)
    return parser


def halves(device):
    """Computes with half the bits where the device has instructions for that: without, they are eighty times as slow as whole floats."""
    return torch.autocast(device, torch.bfloat16, enabled=device != "cpu" or torch.cpu._is_avx512_bf16_supported())


def begin(args):
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)


def fresh(args):
    """The tagger that a run starts from: another tagger, or the first layers of the encoder under a new head."""
    if args.start:
        return Tagger(len(f.LABELS), stored(args.start, args.base))
    return Tagger(len(f.LABELS), pretrained(args.base, args.layers))


def main():
    args = options(2e-4).parse_args()
    begin(args)
    net = fresh(args).to(args.device)
    learnt = net.trainable(args.first)
    head = list(net.head.parameters())
    body = [p for p in learnt if not any(p is h for h in head)]
    optimiser = torch.optim.AdamW([{"params": body, "lr": args.rate}, {"params": head, "lr": args.rate * 5}],
                                  betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    rates = [args.rate, args.rate * 5]
    done, total, saved = 0, args.steps, args.out / "checkpoint.pt"
    if saved.exists():
        state = torch.load(saved, map_location=args.device)
        net.load_state_dict(state["net"], strict=False)
        optimiser.load_state_dict(state["optimiser"])
        done = state["step"]
        print("resumed at step", done, flush=True)
    print("layers", shape(net.state_dict()), "weights that learn", sum(p.numel() for p in learnt), flush=True)
    began = last = time.time()
    seen, shown = 0, 0.0
    for step, (ids, attend, weights) in steps(args, done):
        ids, attend, weights = (x.to(args.device) for x in (ids, attend, weights))
        scale = min(1.0, step / 60, (total - step + 1) / args.decay)
        for group, rate in zip(optimiser.param_groups, rates):
            group["lr"] = rate * scale
        with halves(args.device):
            logits = net(ids, attend)
        loss = loss_of(logits.float(), weights, attend)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        seen += int(attend.sum())
        shown += loss.item()
        if step % 20 == 0:
            print(f"{step}/{total} loss {shown / 20:.4f} pieces/s {seen / (time.time() - began):.0f} {time.strftime('%H:%M:%S')}", flush=True)
            shown = 0.0
        if time.time() - last > SAVE_SECONDS or step == total:
            last = time.time()
            save({"net": net.own(), "optimiser": optimiser.state_dict(), "step": step}, saved)
    print("done, SHA-256 of the weights", digest(net.own()), flush=True)


if __name__ == "__main__":
    main()
