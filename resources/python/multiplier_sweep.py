def multiplier_sweep(x, scheme, start, stop, steps):
    """The best of some multiples of the largest magnitude, in equal steps; of equal ones the first from the start."""
    multiples = np.unique(np.linspace(start, stop, steps))
    return least_norm(x, scheme, multiples * np.abs(x).max(), 2, takes_widest=stop < start)
