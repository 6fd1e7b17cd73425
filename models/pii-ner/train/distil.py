"""
Teaches a smaller tagger what a larger one knows:
python distil.py --teacher FILE --start FILE --base DIR --windows FILE [FILE ...] --out DIR --steps N [--states 1]

The student (from prune.py) sees the windows that the teacher was trained on. It learns what the teacher's layers make of the
pieces, and the teacher's odds: where a set tells what a piece can't be, as they are without that. The learning rate rises for
100 steps and falls evenly to nothing at the end; a run that was stopped goes on from its last checkpoint when started again with the
same arguments. A tagger may be its own teacher, with --states 0: then it learns what new texts mark, and keeps its odds elsewhere.
"""

import time
from pathlib import Path

import torch
import torch.nn.functional as F

import features as f
from model import Tagger, shape, stored
from train import SAVE_SECONDS, begin, digest, halves, options, save, steps

IMPOSSIBLE = -100  # what a set rules out; what it only makes unlikely is left to the teacher


def loss_of(student, teacher, batch, weight):
    ids, attend, weights = batch
    with torch.no_grad():
        wanted = [x[attend].float() for x in teacher.states(ids, attend)]
        ruled_out = torch.where(weights[attend] < IMPOSSIBLE, -1e4, 0.0)
        odds = F.log_softmax(teacher.head(wanted[-1]).float() + ruled_out, -1)
    states = [x[attend].float() for x in student.states(ids, attend)]
    logits = student.head(states[-1]).float()
    apart = F.kl_div(F.log_softmax(logits, -1), odds, reduction="batchmean", log_target=True)
    away = sum(((a - b).square().sum(-1) / b.square().sum(-1)).mean() for a, b in zip(states, wanted)) / len(states)
    return apart + weight * away, (apart.item(), away.item())


def main():
    parser = options(1.5e-4)
    parser.add_argument("--teacher", type=Path, required=True)
    parser.add_argument("--states", type=float, default=1.0, help="weight of the layers' states beside the odds")
    args = parser.parse_args()
    begin(args)
    teacher, student = (Tagger(len(f.LABELS), stored(path, args.base)).to(args.device) for path in (args.teacher, args.start))
    teacher.requires_grad_(False)
    learnt = student.trainable(0)
    optimiser = torch.optim.AdamW(learnt, lr=args.rate, weight_decay=0.01, fused=True)
    done, total, saved = 0, args.steps, args.out / "checkpoint.pt"
    if saved.exists():
        state = torch.load(saved, map_location=args.device)
        student.load_state_dict(state["net"], strict=False)
        optimiser.load_state_dict(state["optimiser"])
        done = state["step"]
        print("resumed at step", done, flush=True)
    print("student", shape(student.state_dict()), flush=True)
    began = last = time.time()
    seen, shown = 0, [0.0] * 2
    for step, batch in steps(args, done):
        batch = [x.to(args.device) for x in batch]
        optimiser.param_groups[0]["lr"] = args.rate * min(step / 100, (total - step + 1) / max(1, total - 100))
        with halves(args.device):
            loss, parts = loss_of(student, teacher, batch, args.states)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        seen += int(batch[1].sum())
        shown = [a + b / 50 for a, b in zip(shown, parts)]
        if step % 50 == 0:
            odds, away = shown
            speed = seen / (time.time() - began)
            print(f"{step}/{total} odds {odds:.4f} states {away:.4f} pieces/s {speed:.0f}", flush=True)
            shown = [0.0] * 2
        if time.time() - last > SAVE_SECONDS or step == total:
            last = time.time()
            save({"net": student.own(), "optimiser": optimiser.state_dict(), "step": step}, saved)
    print("done, SHA-256 of the weights", digest(student.own()), flush=True)


if __name__ == "__main__":
    main()
