def symmetric(threshold, divisor, lowest, highest, zero=0, rounded=np.rint, **scale_rule):
    """Integers from lowest to highest, of which `zero` stands for 0; the scale is threshold / divisor. A level more
    below 0 than above (full range) keeps as much more; without levels below 0 nothing below 0 is kept."""
    below, above = zero - lowest, highest - zero
    t = threshold or 0.0
    clip = (0.0 if below == 0 else 0.0 - t if below == above else 0.0 - t * below / above, t)
    scale = None if threshold is None else as_stored(t / divisor, **scale_rule)
    return SimpleNamespace(scale=scale or 1.0, zero_point=zero, clip=clip, lowest=lowest, highest=highest,
                           rounded=rounded, rounds_with_zero_point=False)
