def affine(clip, lowest, highest, real_zero_point=False, rounded=np.rint, ends=float, step=float, **scale_rule):
    """Integers from lowest to highest over the clip range; the zero point is one of them, or a real number that is
    added before rounding. A whole zero point stops at the ends where 0 is outside: then the levels reach elsewhere. The
    ends and the scale are rounded by `ends`, what comes between by `step`."""
    low, high = (ends(end) for end in clip or (0.0, 0.0))
    scale = None if clip is None else as_stored(step(step(high - low) / (highest - lowest)), **scale_rule)
    zero = 0.0
    if scale:
        zero = lowest - step(low / scale)
        scale = ends(scale) or 2.0 ** -149
        if not real_zero_point:
            zero = min(max(rounded(zero) + 0.0, lowest), highest)
            if not low <= 0 <= high:
                low, high = scale * (lowest - zero), scale * (highest - zero)
    return SimpleNamespace(scale=scale or 1.0, zero_point=zero, clip=(low, high), lowest=lowest, highest=highest,
                           rounded=rounded, rounds_with_zero_point=real_zero_point)
