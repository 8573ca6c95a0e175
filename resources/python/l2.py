import math


def l2(x, scheme, divisor, start, tolerance, cap):
    """Levels from the scale, then the scale with the least squared error for these levels, until it stays. The sums
    are rounded once (math.fsum), so that their order does not matter. The start is "p99.9", the 99.9th percentile, or a
    multiple of the largest magnitude. Returns the threshold, and the scale and error of each step."""
    largest = np.abs(x).max()
    start = start * largest if start != "p99.9" else np.percentile(np.abs(x), 99.9) or largest
    q, scale = scheme(start), start / divisor
    scales, errors = [], []
    while True:
        z = np.clip(q.rounded(x / scale), q.lowest - q.zero_point, q.highest - q.zero_point)
        scales.append(scale)
        errors.append(math.fsum((scale * z - x) ** 2) / 2)
        xz, zz = math.fsum(x * z), math.fsum(z * z)
        if len(scales) > cap or not (zz > 0 and xz > 0):
            break
        new, old = xz / zz, scale
        scale = new
        if abs(new - old) <= tolerance * old:
            break
    return (largest if largest / divisor == scale else scale * divisor), (scales, errors)
