def float8(stored, exponent_bits, bias, specials):
    """8-bit floats from their bits. Specials: "ieee" (infinities and NaN), "fn" (NaN alone), "fnuz" (NaN in place of -0)."""
    bits = (stored.view("u1") if stored.dtype.kind == "V" else stored.astype("u1")).astype(int)
    fraction_bits = 7 - exponent_bits
    exponent = (bits & 0x7F) >> fraction_bits
    fraction = bits & (2 ** fraction_bits - 1)
    digits = np.where(exponent == 0, fraction, fraction + 2 ** fraction_bits)
    values = digits * 2.0 ** (np.maximum(exponent, 1) - bias - fraction_bits)
    if specials == "ieee":
        values[exponent == 2 ** exponent_bits - 1] = np.inf
        values[(exponent == 2 ** exponent_bits - 1) & (fraction > 0)] = np.nan
    elif specials == "fn":
        values[(bits & 0x7F) == 0x7F] = np.nan
    else:
        values[bits == 0x80] = np.nan
    return np.where(bits & 0x80, -values, values)
