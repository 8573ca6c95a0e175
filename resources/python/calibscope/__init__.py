# SPDX-License-Identifier: GPL-3.0-or-later
"""Calibscope's numbers as NumPy arrays and pandas frames.

Each function runs the program `calib` and reads its JSON, so numbers are those of the command line, with all digits. `calib` is the
program that the environment variable CALIBSCOPE_CALIB names, else the one on the PATH.

Options of the command are keyword arguments: `calibrator="entropy"` is --calibrator entropy, a list repeats the option, True is an
option without a value, and an underscore stands for a hyphen. Paths and names may be any object with a text.

Needs NumPy; pandas only for frame().
"""

import json
import os
import subprocess
import warnings

try:
    import numpy as np
except ImportError:  # calibscope.program needs none
    np = None

__all__ = ["CalibError", "Outcome", "run", "rows", "frame", "scales", "histogram"]

_SOME_DATA = 3  # exit code: some of the data could not be answered, the rest was


class CalibError(RuntimeError):
    """What `calib` wrote on stderr, and its exit code as `code`."""

    def __init__(self, code, text):
        super().__init__(text.strip() or f"calib ended with exit code {code}")
        self.code = code


def _words(arguments, options):
    words = [str(argument) for argument in arguments]
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is True:
                words.append(option)
            elif one is not False and one is not None:
                words += [option, str(one)]
    return words


def run(command, *arguments, **options):
    """The JSON of `calib COMMAND ARGUMENTS --format json OPTIONS`.

    Raises CalibError. Where only some tensors could not be answered (exit code 3), the others are returned, with a warning that names
    them."""
    words = [os.environ.get("CALIBSCOPE_CALIB", "calib"), command, *_words(arguments, options), "--format", "json"]
    if "output" in options:
        raise TypeError("output is not an option here: the answer is returned")
    try:
        done = subprocess.run(words, capture_output=True, text=True, encoding="utf-8", check=False)
    except OSError as error:
        raise CalibError(127, f"{words[0]}: {error.strerror}; set CALIBSCOPE_CALIB") from None
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        raise CalibError(done.returncode, done.stderr) from None
    if done.returncode not in (0, _SOME_DATA):
        raise CalibError(done.returncode, done.stderr)
    if done.returncode == _SOME_DATA:
        warnings.warn(done.stderr.strip(), stacklevel=2)
    return _numbers(answer)


def _numbers(value):
    """With "inf", "-inf" and "nan", which JSON has no numbers for, as floats."""
    if isinstance(value, dict):
        return {key: _numbers(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_numbers(member) for member in value]
    return float(value) if value in ("inf", "-inf", "nan") else value


def rows(command, *arguments, **options):
    """The rows of a command that prints a table (stats, layers, samples, diagnose, compare, improve, ...): a dictionary for each."""
    return run(command, *arguments, **options)


def frame(command, *arguments, **options):
    """The same as a pandas.DataFrame; of scales a row for each outcome, without lists."""
    import pandas  # pylint: disable=import-outside-toplevel

    answer = run(command, *arguments, **options)
    if isinstance(answer, dict):
        answer = [{key: value for key, value in outcome.items() if not isinstance(value, (dict, list))}
                  for outcome in answer["outcomes"]]
    return pandas.DataFrame(answer)


def _array(values):
    """Numbers as float64, "inf" and "-inf" too, null as NaN; texts stay texts."""
    try:
        return np.array([np.nan if value is None else float(value) for value in values])
    except ValueError:
        return np.array(values)


class Outcome(dict):
    """What a calibrator found on a tensor: the columns of `calib scales` by name.

    channels: of a scale for each channel, row or group, the columns that differ between them, as arrays; else empty.
    curve: with curves=True what was minimised, as arrays `threshold` and `objective` and the index
    `chosen`; else empty."""

    def __init__(self, members):
        super().__init__((key, value) for key, value in members.items() if key not in ("channels", "curve"))
        self.channels = {key: _array(values) for key, values in members.get("channels", {}).items()}
        self.curve = {key: _array(value) if isinstance(value, list) else value
                      for key, value in members.get("curve", {}).items()}

    def quantize(self, values):
        """What the scale makes of values, float64: round half to even, clipped to the levels, and back. Of one scale for the tensor
        and a scheme of whole zero points; other rounding than to even is not restated here."""
        if self.get("channel") == "*":
            raise ValueError("has a scale for each channel; use channels['scale']")
        bits = self["bits"]
        low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
        if self["scheme"] == "symmetric-restricted":
            low = -high
        scale, zero = self["scale"], self["zero_point"]
        return (np.clip(np.rint(np.asarray(values, dtype=np.float64) / scale) + zero, low, high) - zero) * scale


def scales(*paths, channels=False, **options):
    """The outcomes of `calib scales PATHS`: a list of Outcome. channels=True keeps each channel's numbers, curves=True the searches."""
    if channels:
        options["rows"] = "channel"
    return [Outcome(outcome) for outcome in run("scales", *paths, **options)["outcomes"]]


def histogram(path, tensor, **options):
    """Edges (n + 1) and counts (n) of `calib histogram PATH --tensor TENSOR`, as numpy.histogram returns them the other way round."""
    bins = run("histogram", path, tensor=tensor, **options)
    edges = np.array([bins[0]["low"]] + [one["high"] for one in bins]) if bins else np.zeros(0)
    return edges, np.array([one["count"] for one in bins], dtype=np.int64)
