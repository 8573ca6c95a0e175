def affine(clip, lowest, highest, real_zero_point=False, rounded=np.rint, **scale_rule):
    """Integers from lowest to highest over the clip range, which holds 0; the zero point is one of them, or a real
    number that is added before rounding."""
    low, high = clip or (0.0, 0.0)
    scale = None if clip is None else as_stored((high - low) / (highest - lowest), **scale_rule)
    zero = 0.0
    if scale:
        zero = lowest - low / scale
        if not real_zero_point:
            zero = min(max(rounded(zero) + 0.0, lowest), highest)
    return SimpleNamespace(scale=scale or 1.0, zero_point=zero, clip=(low, high), lowest=lowest, highest=highest,
                           rounded=rounded, rounds_with_zero_point=real_zero_point)
