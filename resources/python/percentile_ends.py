def percentile_ends(parts, alpha, method, tail, of, has_two_ends, rounded=float):
    """Percentiles of several parts, averaged: the low end, where tail percent are cut off (0 unless it is asked for), and
    the high one. Method "element" takes the value whose number is the whole part of the share of the count."""
    high_percent = 100.0 - tail if has_two_ends else alpha
    sums, number = [0.0, 0.0], 0

    def one(values, percent, share):
        if method == "element":
            return values[min(int(len(values) * share), len(values) - 1)]
        return np.percentile(values, percent, method=method)

    for part in parts:
        values = np.sort(of(finite([part])))
        if values.size == 0:
            continue
        number += 1
        sums[1] = rounded(sums[1] + one(values, high_percent, high_percent / 100.0))
        if has_two_ends:
            sums[0] = rounded(sums[0] + one(values, tail, 1.0 - high_percent / 100.0))
    low = rounded(sums[0] / number)
    return low, max(rounded(sums[1] / number), low)
