def mse_range(histogram, x, of, scheme, density, has_points):
    """The range with the least mean squared error on a histogram: first both ends in 128 steps, then the pairs around
    the best one in quarters of a step; of equal ones the widest, which comes first.

    Returns the range and the curve: ends below 0 with the best high end, ends above 0 with the best low end.
    """
    left, points = masses(histogram, x, of, has_points)
    full_low, full_high = min(x.min(), 0.0), max(x.max(), 0.0)
    total = left.sum() + points[:, 1].sum()

    def error(low, high):
        return squared_error(histogram, left, points, scheme((low, high)), density)

    def best_of(lows, highs):
        least, best = np.inf, (128.0, 128.0)
        for i in lows:
            for j in highs:
                low, high = full_low * (i / 128), full_high * (j / 128)
                if high > low and (here := error(low, high)) < least:
                    least, best = here, (i, j)
        return best

    def coarse(end):
        return [128.0] if end == 0 else range(128, -1, -1)

    def fine(end, best):
        return [best] if end == 0 else [p for k in range(4, -5, -1) if 0 <= (p := best + k / 4) <= 128]

    i, j = best_of(coarse(full_low), coarse(full_high))
    near_i, near_j = best_of(fine(full_low, i), fine(full_high, j))
    low, high = full_low * (i / 128), full_high * (j / 128)
    near = full_low * (near_i / 128), full_high * (near_j / 128)
    if error(*near) < error(low, high):
        low, high = near
    lows = sorted({end for end in [full_low * (k / 128) for k in range(1, 129)] + [low] if end != 0})
    highs = sorted({end for end in [full_high * (k / 128) for k in range(1, 129)] + [high] if end != 0})
    errors = [error(end, high) / total for end in lows] + [error(low, end) / total for end in highs]
    return (low, high), (lows + highs, errors)
