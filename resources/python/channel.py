def channel(batches, axis, index):
    """One channel of each batch; the axis counts with the batch axis in front."""
    return [np.take(batch, index, axis) for batch in batches]
