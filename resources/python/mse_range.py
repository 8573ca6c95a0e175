def clipping_at_least(histogram, left, lows, highs, levels):
    """For each pair of ends a squared error that it exceeds: that of clipping alone, of masses moved to the nearer edge
    of their bin, over ends a step further out (where the outermost levels may lie)."""
    at = edges(*histogram)

    def beyond(ends, places, masses):  # sum of mass * (end - place)^2 over the places before each end
        sums = [np.append(0.0, np.cumsum(masses * places ** power)) for power in (0, 1, 2)]
        count = np.searchsorted(places, ends)
        return np.maximum(ends ** 2 * sums[0][count] - 2 * ends * sums[1][count] + sums[2][count], 0.0)

    step = (highs - lows) / levels
    return beyond(lows - step, at[1:], left) + beyond(-(highs + step), -at[:-1][::-1], left[::-1])


def mse_range(histogram, x, of, scheme, density, has_points, is_plain):
    """The range with the least mean squared error on a histogram: first both ends in 128 steps, then the pairs around
    the best one in quarters of a step; of equal ones the widest, which comes first. Pairs that clip too much to be the
    best one are not tried; that needs a plain scheme, whose scale is the width of the range over the levels.

    Returns the range and the curve: ends below 0 with the best high end, ends above 0 with the best low end.
    """
    left, points = masses(histogram, x, of, has_points)
    full_low, full_high = min(x.min(), 0.0), max(x.max(), 0.0)
    total, placed = left.sum() + points[:, 1].sum(), places_of(histogram, left, density)

    def error(low, high):
        return squared_error(placed, points, scheme((low, high)))

    def best_of(lows, highs):
        places = np.array([(i, j) for i in lows for j in highs], dtype="f8")
        low, high = full_low * (places[:, 0] / 128), full_high * (places[:, 1] / 128)
        places, low, high = places[high > low], low[high > low], high[high > low]
        bounds = np.zeros(len(places))
        if is_plain:
            q = scheme((full_low, full_high))
            bounds = 0.999 * clipping_at_least(histogram, left, low, high, q.highest - q.lowest)
        least, best = np.inf, -1
        for index in np.argsort(bounds, kind="stable"):
            if bounds[index] > least:
                break
            here = error(low[index], high[index])
            if here < least or here == least and index < best:
                least, best = here, index
        return tuple(places[best]) if best >= 0 else (128.0, 128.0)

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
