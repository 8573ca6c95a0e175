def averaged_density(batches):
    """Left edges and width of 512 bins over three times the first batch's range, and the batches' shares, averaged. A
    value's bin is its place rounded; values outside are left out. Float32 where AIMET has it. None: no such bins."""
    f4, width, shares, number = np.float32, None, np.zeros(512), 0
    for batch in batches:
        values = finite([batch]).astype("f4")
        if width is None and values.any():
            low, high = values.min(), values.max()
            if low == high:
                high = max(high, low + f4(0.01))
            centre = (high + low) / f4(2)
            low, high = centre - f4(3) * (centre - low), centre + f4(3) * (high - centre)
            width = (high - low) / f4(512)
            if not (np.isfinite(low) and np.isfinite(width) and low + width > low):
                return None
        if values.size and width is not None:
            place = half_away(values / width - low / width)
            inside = place[(place >= 0) & (place < 512)].astype(int)
            shares = (shares * number + np.bincount(inside, minlength=512) / values.size) / (number + 1)
            number += 1
    return (float(low) + np.arange(512) * float(width)).astype("f4"), width, shares


def observed(density):
    """The first and the last left edge with a share, 0 put into them, and at least 0.01 apart; the last one is never the
    very first."""
    left, width, shares = density
    first, last = int(np.argmax(shares > 0)), 511 - int(np.argmax(shares[::-1] > 0))
    low = min(left[first] if shares.any() else left[0], np.float32(0))
    high = left[last if shares.any() and last > 0 else 511]
    return low, max(high, np.float32(0), low + np.float32(0.01))
