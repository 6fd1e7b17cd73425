"""
Trains the same twice, in processes of their own, and compares every byte: python twice.py --data DIR --base DIR [--steps 20]

Ends with 1 if the weights differ. On one kind of processor, with one number of threads, they must not.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--steps", default="20")
    parser.add_argument("--threads", default="1")
    parser.add_argument("more", nargs="*", help="further arguments of train.py, after --")
    args = parser.parse_args()
    digests = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as out:
            run = subprocess.run(
                [sys.executable, Path(__file__).parent / "train.py", "--data", args.data, "--base", args.base, "--out", out,
                 "--steps", args.steps, "--decay", args.steps, "--threads", args.threads, *args.more],
                stdout=subprocess.PIPE, text=True, check=True)
        digests.append(run.stdout.split()[-1])
        print(digests[-1], flush=True)
    if digests[0] != digests[1]:
        sys.exit("the weights differ")
    print("the same")


if __name__ == "__main__":
    main()
