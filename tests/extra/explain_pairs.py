#!/usr/bin/env python3
"""calib explain over random pairs of presets of different tools: explain_pairs.py CALIB DUMP TENSOR [PAIRS] [SEED].

Every step must have the numbers of a direct run of calib scales with its settings, the first and the last those of the
two presets, and none may be refused. Ends with 1 and the first difference otherwise.
"""
import csv
import io
import json
import pathlib
import random
import subprocess
import sys

NUMBERS = ["low", "high", "threshold", "scale", "zero_point", "sqnr_db"]


def rows_of(calib, *arguments):
    run = subprocess.run([calib, *arguments, "--format", "csv"], capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(f"calib {' '.join(arguments)}: exit code {run.returncode}\n{run.stderr}")
    return list(csv.DictReader(io.StringIO(run.stdout)))


def numbers(row):
    return [row[name] for name in NUMBERS]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    calib, dump, tensor = sys.argv[1:4]
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 100
    chance = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
    folder = pathlib.Path(__file__).resolve().parents[2] / "resources" / "presets"
    presets = sorted(json.loads(path.read_text())["id"] for path in folder.glob("*.json"))
    tools = {preset: preset.split("-")[0] for preset in presets}
    steps = longest = 0
    for number in range(count):
        while True:
            first, last = chance.sample(presets, 2)
            if tools[first] != tools[last]:
                break
        name = f"{first} to {last}"
        shown = rows_of(calib, "explain", dump, "--tensor", tensor, "--from", first, "--to", last)
        ends = rows_of(calib, "scales", dump, "--tensor", tensor, "--preset", first, "--preset", last)
        for end, row in ((ends[0], shown[0]), (ends[1], shown[-1])):
            if numbers(end) != numbers(row):
                sys.exit(f"{name}: {row['step']}\n  {numbers(row)}\n  the preset: {numbers(end)}")
        for scheme in sorted({row["scheme"] for row in shown}):
            of_scheme = [row for row in shown if row["scheme"] == scheme]
            choices = [word for row in of_scheme
                       for word in ("--calibrator", f"{row['calibrator']}:{row['settings'].replace(';', ',')}")]
            direct = rows_of(calib, "scales", dump, "--tensor", tensor, "--scheme", scheme, *choices)
            for row, other in zip(of_scheme, direct, strict=True):
                if numbers(row) != numbers(other):
                    sys.exit(f"{name}: {row['step']}\n  {numbers(row)}\n  directly: {numbers(other)}")
        steps += len(shown) - 1
        longest = max(longest, len(shown) - 1)
        if number % 10 == 9:
            print(f"{number + 1} of {count} pairs", file=sys.stderr)
    print(f"{count} pairs of {len(presets)} presets, {steps} steps, at most {longest}: all equal to direct runs")


if __name__ == "__main__":
    main()
