def least_norm(x, scheme, thresholds, p, takes_widest):
    """The threshold whose quantization error has the least p-norm, and the curve of all."""
    norms = [np.mean(np.abs(x - quantized(x, scheme(t))) ** p) ** (1 / p) for t in thresholds]
    least = np.flatnonzero(np.array(norms) == min(norms))
    return thresholds[least[-1] if takes_widest else least[0]], (thresholds, norms)
