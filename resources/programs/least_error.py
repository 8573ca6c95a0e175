#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# calibscope: input=histogram, bins=1024
from calibscope.program import serve


def least_error(tensor):
    curve, n, s, q = [], 0, 0.0, 0.0  # of the values beyond: their number, sum and sum of squares
    for edge, centre, count in reversed(list(zip(tensor.edges, tensor.centres, tensor.counts))):
        n, s, q = n + count, s + count * centre, q + count * centre**2
        rounding = tensor.count * (edge / tensor.levels[1]) ** 2 / 12
        curve.insert(0, (edge, (q - 2 * edge * s + n * edge**2 + rounding) / tensor.count))
    x, y = zip(*curve)
    return {"threshold": x[y.index(min(y))], "curve": {"x": x, "y": y, "name": "clipping and rounding"}}


serve(least_error)
