"""
Weights between those of two taggers of one shape: python blend.py --old FILE --new FILE --share 0.8 --out FILE

What was taught last costs a little of what was known before; with a share of the old weights that comes back, and most of the new stays.
"""

import argparse
from pathlib import Path

import torch


def main():
    parser = argparse.ArgumentParser()
    for name in ("old", "new", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--share", type=float, required=True, help="of the new weights")
    args = parser.parse_args()
    old, new = (torch.load(path, map_location="cpu") for path in (args.old, args.new))
    old, new = old.get("net", old), new.get("net", new)
    torch.save({name: (1 - args.share) * old[name] + args.share * value for name, value in new.items()}, args.out)


if __name__ == "__main__":
    main()
