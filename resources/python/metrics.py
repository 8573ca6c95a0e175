def metrics(x, became, clipped):
    """Names and values of the errors; a clipped value's whole error counts as clipping."""
    error = (x - became) ** 2
    yield "sqnr_db", 10 * np.log10(np.sum(x ** 2) / np.sum(error)) if error.any() else np.inf
    yield "mse", np.mean(error)
    yield "mse_rounding", np.sum(error[~clipped]) / x.size
    yield "mse_clipping", np.sum(error[clipped]) / x.size
    yield "clipped_share", np.mean(clipped)
    yield "max_error", np.abs(x - became).max()
    lengths = np.sqrt(np.sum(x ** 2)), np.sqrt(np.sum(became ** 2))
    both_zero = lengths[0] == 0 and lengths[1] == 0
    yield "cosine", np.sum(x * became) / (lengths[0] * lengths[1]) if lengths[0] * lengths[1] > 0 else float(both_zero)
    yield "squared_error", np.sum(error)
