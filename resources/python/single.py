def single(value):
    """The nearest float32, as a double; values beyond its range become its ends."""
    most = float(np.finfo("f4").max)
    return float(np.float32(min(max(value, -most), most)))
