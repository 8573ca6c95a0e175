def symmetric(threshold, divisor, lowest, highest, zero=0, rounded=np.rint, ends=float, step=float, **scale_rule):
    """Integers from lowest to highest, of which `zero` stands for 0; the scale is threshold / divisor. A level more
    below 0 than above (full range) keeps as much more; without levels below 0 nothing below 0 is kept. The ends and the
    scale are rounded by `ends`, what comes between by `step`."""
    below, above = zero - lowest, highest - zero
    t = threshold or 0.0
    clip = (ends(0.0 if below == 0 else 0.0 - t if below == above else 0.0 - t * below / above), ends(t))
    scale = None if threshold is None else as_stored(step(clip[1] / divisor), **scale_rule)
    scale = (ends(scale) or 2.0 ** -149) if scale else 1.0
    return SimpleNamespace(scale=scale, zero_point=zero, clip=clip, lowest=lowest, highest=highest,
                           rounded=rounded, rounds_with_zero_point=False)
