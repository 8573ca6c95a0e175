# SPDX-License-Identifier: GPL-3.0-or-later
"""A calibrator of your own: a function of a tensor that returns a clip range, asked by Calibscope.

    from calibscope.program import serve

    def half(tensor):
        return tensor.abs_max / 2

    serve(half)

What travels are lines of JSON, which a program in any language can read and write: see the page "Calibrators of your own" of
Calibscope's documentation. Needs nothing beside Python; values are a NumPy array where NumPy is installed.
"""

import array
import json
import sys

try:
    import numpy
except ImportError:
    numpy = None

__all__ = ["Tensor", "serve"]


class Tensor:
    """What Calibscope tells of a tensor, or of one channel of it.

    name, role, is_channel, scheme, is_symmetric, bits, levels (least, greatest), count (of finite values), min, max, abs_max.
    With input=histogram: counts, edges (one more than counts), centres, domain ("magnitude": of |x|, or "signed").
    With input=values: values, all finite ones as float32."""

    def __init__(self, question, stream):
        self.name = question["tensor"]
        for key in ("role", "is_channel", "scheme", "is_symmetric", "bits", "levels", "count", "min", "max"):
            setattr(self, key, question[key])
        self.abs_max = max(abs(self.min), abs(self.max))
        if "histogram" in question:
            histogram = question["histogram"]
            self.domain, self.counts = histogram["domain"], histogram["counts"]
            width = (histogram["high"] - histogram["low"]) / len(self.counts)
            self.edges = [histogram["low"] + index * width for index in range(len(self.counts))] + [histogram["high"]]
            self.centres = [(low + high) / 2 for low, high in zip(self.edges, self.edges[1:])]
        else:
            self.values = array.array("f")
            self.values.frombytes(stream.read(4 * self.count))
            if numpy is not None:
                self.values = numpy.asarray(self.values)


def _answer(result):
    if isinstance(result, dict):
        return result
    if isinstance(result, (tuple, list)):
        low, high = result
        return {"low": float(low), "high": float(high)}
    return {"threshold": float(result)}


def serve(rule):
    """Answers questions with what `rule(tensor)` returns, until there are no more.

    It returns a threshold, a pair (low, high), or a dictionary: {"threshold": t} or {"low": l, "high": h}, and if you like "note": a
    text, and "curve": {"x": thresholds, "y": objective, "name": text, "unit": text}, ascending by x. What it prints goes to standard
    error; what it raises ends the program, and Calibscope shows the end of it."""
    questions, answers = sys.stdin.buffer, sys.stdout
    sys.stdout = sys.stderr
    for line in iter(questions.readline, b""):
        question = json.loads(line)
        answer = {"id": question["id"]} | _answer(rule(Tensor(question, questions)))
        answers.write(json.dumps(answer, default=lambda value: value.tolist()) + "\n")
        answers.flush()
