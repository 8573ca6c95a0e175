def bound_search(x, scheme, p, factors, least_factor):
    """The best of some shares of the largest magnitude, in equal steps from 1 down; of equal ones the widest."""
    shares = np.unique(np.linspace(1.0, least_factor, factors))
    return least_norm(x, scheme, shares * np.abs(x).max(), p, takes_widest=True)
