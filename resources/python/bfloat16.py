def bfloat16(stored):
    """Numbers that are the upper half of a float32, from their 16 bits."""
    if stored.dtype.kind == "f":
        return stored
    bits = stored.view("u2") if stored.dtype.kind == "V" else stored.astype("u2")
    return (bits.astype("u4") << 16).view("f4")
