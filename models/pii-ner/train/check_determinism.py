"""
Runs a script that makes weights twice, in processes of their own, and compares every byte:
python check_determinism.py train.py --data DIR --base DIR --steps 20 --decay 20 --threads 1 (all its arguments but --out)

Ends with 1 if the weights differ. On one kind of processor, with one number of threads, they must not.
"""

import subprocess
import sys
import tempfile
from pathlib import Path


def main():
    script, *arguments = sys.argv[1:]
    digests = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, Path(__file__).parent / script, *arguments, "--out", Path(folder) / "out"]
            run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        digests.append(run.stdout.split()[-1])
        print(digests[-1], flush=True)
    if digests[0] != digests[1]:
        sys.exit("the weights differ")
    print("the same")


if __name__ == "__main__":
    main()
