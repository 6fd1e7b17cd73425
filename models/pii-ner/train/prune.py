"""
Leaves out what a tagger can best do without: python prune.py --weights FILE --base DIR --windows FILE --out FILE --keep 0.8

Heads and inner places of every layer are ranked by the error that leaving one out makes in what the layer adds, once the
rest makes up for it as well as it can (least squares over windows of the training data: the surgeon's rule of Hassibi and
Stork, by columns). How many each layer keeps is found by trying: the least divergence of labels for the time that is saved.
"""

import argparse
from pathlib import Path

import torch
import torch.nn.functional as F

import features as f
from model import HEAD, Tagger, shape, stored
from train import digest, steps

HEAD_COST = 100  # time of a head, in inner places (0.05 and 0.0005 ms of a window of 128)
STEP = 128  # inner places tried together
FEWEST = {"out": 3, "down": 128}


def inputs_of(net, windows):
    """Second moments of what goes into `out` and `down` of each layer, with a column of ones behind."""
    sums = {}

    def watch(name):
        def hook(_, given):
            x = given[0][watch.valid].float()
            x = torch.cat([x, torch.ones(len(x), 1)], 1)
            sums[name] = sums.get(name, 0) + (x.T @ x).double()
        return hook

    hooks = []
    for i, layer in enumerate(net.layers):
        for name in ("out", "down"):
            hooks.append(getattr(layer, name).register_forward_pre_hook(watch((i, name))))
    for ids, attend, _ in windows:
        watch.valid = attend
        net(ids, attend)
    for hook in hooks:
        hook.remove()
    return sums


def ranking(moments, weight, group):
    """Groups of columns in the order in which they are best left out, each chosen after the loss of those before it."""
    n = weight.shape[1]
    damped = moments[:n, :n] + torch.eye(n, dtype=torch.double) * moments.diagonal()[:n].mean() * 1e-3
    inverse, w = torch.linalg.inv(damped), weight.double().clone()
    left, order = list(range(0, n, group)), []
    while left:
        if group == 1:
            at = torch.tensor(left)
            loss = w[:, at].square().sum(0) / inverse.diagonal()[at]
            best = left[int(loss.argmin())]
        else:
            def loss_of(a):
                part = w[:, a:a + group]
                return (part @ torch.linalg.inv(inverse[a:a + group, a:a + group]) * part).sum().item()
            best = min(left, key=loss_of)
        cut = slice(best, best + group)
        pull = torch.linalg.solve(inverse[cut, cut], inverse[cut])
        w -= w[:, cut] @ pull
        inverse -= inverse[:, cut] @ pull
        inverse[cut, :], inverse[:, cut] = 0, 0
        inverse[cut, cut] = torch.eye(group, dtype=torch.double)
        w[:, cut] = 0
        left.remove(best)
        order.append(best)
    return order


def solved(moments, weight, bias, kept):
    """Weight and bias over the columns that are kept, so that the whole product changes least."""
    n = weight.shape[1]
    whole = torch.cat([weight, bias[:, None]], 1).double()
    at = torch.tensor([*kept, n])
    inner = moments[at][:, at]
    inner = inner + torch.diag(torch.cat([torch.full((len(kept),), inner.diagonal()[:-1].mean().item() * 1e-4), torch.zeros(1)]).double())
    new = torch.linalg.solve(inner, moments[at] @ whole.T).T.float()
    return new[:, :-1].contiguous(), new[:, -1].contiguous()


def cut(state, layer, name, kept, moments):
    """A copy of the weights in which one product of one layer keeps some columns."""
    out, p = dict(state), f"layers.{layer}"
    out[f"{p}.{name}.weight"], out[f"{p}.{name}.bias"] = solved(moments, state[f"{p}.{name}.weight"], state[f"{p}.{name}.bias"], kept)
    before, rows = ("up", kept) if name == "down" else ("qkv", None)
    if rows is None:
        width = state[f"{p}.out.weight"].shape[1]
        rows = [part * width + k for part in range(3) for k in kept]
    for kind in ("weight", "bias"):
        out[f"{p}.{before}.{kind}"] = state[f"{p}.{before}.{kind}"][rows].contiguous()
    return out


def columns(order, left_out, group):
    gone = set(order[:left_out])
    return [a + i for a in sorted(set(order) - gone) for i in range(group)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--windows", type=Path, nargs=1, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--keep", type=float, required=True, help="share of the layers' time")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.steps, args.batch = 40, 2048
    torch.set_num_threads(args.threads)
    torch.set_grad_enabled(False)
    todo = [batch for _, batch in steps(args, 0)]
    seen, tried = todo[:36], todo[36:]
    net = Tagger(len(f.LABELS), stored(args.weights, args.base)).eval()
    state, sizes = net.state_dict(), shape(net.state_dict())
    moments = inputs_of(net, seen)
    orders = {(i, n): ranking(m, state[f"layers.{i}.{n}.weight"], HEAD if n == "out" else 1) for (i, n), m in moments.items()}
    truth = [net(*batch[:2]).log_softmax(-1) for batch in tried]

    def divergence(weights):
        other = Tagger(len(f.LABELS), weights).eval()
        total, count = 0.0, 0
        for batch, right in zip(tried, truth):
            apart = F.kl_div(other(*batch[:2]).log_softmax(-1), right, reduction="none", log_target=True).sum(-1)
            total, count = total + apart[batch[1]].sum().item(), count + int(batch[1].sum())
        return total / count

    curves = {}
    for (i, name), order in orders.items():
        group, step, cost = (HEAD, 1, HEAD_COST) if name == "out" else (1, STEP, STEP)
        points = [(0, 0.0, 0)]
        while len(order) - points[-1][0] - step >= FEWEST[name]:
            gone = points[-1][0] + step
            kept = columns(order, gone, group)
            points.append((gone, divergence(cut(state, i, name, kept, moments[i, name])), gone // step * cost))
        curves[i, name] = points
        print(i, name, " ".join(f"{gone}:{loss:.4f}" for gone, loss, _ in points), flush=True)

    whole = sum(heads * HEAD_COST + inner for heads, inner in sizes)
    chosen, saved = {key: 0 for key in curves}, 0
    while saved < (1 - args.keep) * whole:
        def slope(key, to):
            a, b = curves[key][chosen[key]], curves[key][to]
            return (b[1] - a[1]) / (b[2] - a[2])
        options = [(slope(key, to), key, to) for key in curves for to in range(chosen[key] + 1, len(curves[key]))]
        _, key, to = min(options)
        saved += curves[key][to][2] - curves[key][chosen[key]][2]
        chosen[key] = to
    for (i, name), at in chosen.items():
        kept = columns(orders[i, name], curves[i, name][at][0], HEAD if name == "out" else 1)
        state = cut(state, i, name, kept, moments[i, name])
    print("kept", shape(state), "share", round(1 - saved / whole, 3), "divergence", round(divergence(state), 4))
    own = {name: value for name, value in state.items() if name != "words.weight"}
    torch.save(own, args.out)
    print("done, SHA-256 of the weights", digest(own))


if __name__ == "__main__":
    main()
