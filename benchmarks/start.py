"""Compare a whole run of `tertulia normalize` on one file with the least it needs: `python benchmarks/start.py`.

The least is a process that imports typer and makes one pydantic model. Both run in turns, each as a new process, from the
environment that runs this script, where modules are compiled once and for all. Figures are processor times, which a busy machine
moves less. The exit status is 1 when the shortest run is over 1.4 times the shortest of the other.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from normalize import payload

LIMIT = 1.4
ROUNDS = 25
LEAST = "import typer; from pydantic import BaseModel; A = type('A', (BaseModel,), {'__annotations__': {'x': int}})"


def run(command: list[str]) -> float:
    """Give the processor seconds that a process takes, from its start to its end."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def in_turns(*commands: list[str]) -> list[float]:
    """Give the shortest time of each command; the first round compiles, and does not count."""
    rounds = [[run(command) for command in commands] for _ in range(ROUNDS + 1)]
    return [min(times) for times in zip(*rounds[1:], strict=True)]


def main() -> int:
    """Print the figures; say whether the ratio is over the limit."""
    python = sys.executable
    tertulia = str(Path(python).with_name("tertulia"))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "event.json")
        file.write_bytes(payload("/triage now"))
        least, ours = in_turns([python, "-c", LEAST], [tertulia, "normalize", str(file), "--name", "issue_comment"])
    print(f"typer and one model: {least * 1e3:.0f} ms; tertulia normalize: {ours * 1e3:.0f} ms")
    print(f"{ours / least:.2f} times, the shortest of {ROUNDS} runs each; the limit is {LIMIT}")
    return 1 if ours / least > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
