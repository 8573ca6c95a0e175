from types import SimpleNamespace


def as_stored(scale, floor=0.0, zero_scale=None, power_of_two=False):
    """The scale raised to its floor; that of an empty clip range if it is 0 (None: there is none); or rounded up to a
    power of two."""
    scale = max(scale, floor) or zero_scale
    if scale and power_of_two:
        fraction, exponent = np.frexp(scale)
        return scale if fraction == 0.5 else np.ldexp(1.0, exponent)
    return scale


def quantized(x, quantizer):
    """What becomes of values: their integers, and back."""
    q, zero = quantizer, quantizer.zero_point
    if q.rounds_with_zero_point:
        return q.scale * (np.minimum(np.maximum(q.rounded(x / q.scale + zero), q.lowest), q.highest) - zero)
    return q.scale * (np.minimum(np.maximum(q.rounded(x / q.scale) + zero, q.lowest), q.highest) - zero)


def is_clipped(x, quantizer):
    """Whether values lie outside the clip range, whatever the scale."""
    return (x < quantizer.clip[0]) | (x > quantizer.clip[1])
