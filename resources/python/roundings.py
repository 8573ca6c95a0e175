def half_away(value):
    """The nearest whole number, halves away from zero."""
    whole = np.trunc(value)
    return whole + np.sign(value) * (np.abs(value - whole) >= 0.5)


def floor_half(value):
    """floor(value + 1/2)."""
    return np.floor(value + 0.5)
