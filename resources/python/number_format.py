def small_float(exponent_bits, mantissa_bits, bias, largest):
    """Magnitudes that a small float has, ascending: the index of each is its pattern without the sign."""
    pattern = np.arange(2 ** (exponent_bits + mantissa_bits))
    exponent, fraction = pattern >> mantissa_bits, pattern & (2 ** mantissa_bits - 1)
    digits = np.where(exponent == 0, fraction, fraction + 2 ** mantissa_bits)
    numbers = digits * 2.0 ** (np.maximum(exponent, 1) - bias - mantissa_bits)
    return numbers[numbers <= largest]


def nearest(values, numbers):
    """Index of the nearest of ascending numbers, of two as near the even index."""
    middle = (numbers[1:] + numbers[:-1]) / 2
    low, high = np.searchsorted(middle, values, "left"), np.searchsorted(middle, values, "right")
    return np.where((low == high) | (low % 2 == 0), low, high)


def float_code(quotient, magnitudes, bits, has_minus_zero):
    """Patterns of sign and magnitude, and the numbers they stand for."""
    index = nearest(np.abs(quotient), magnitudes)
    is_negative = np.signbit(quotient) & ((index > 0) | has_minus_zero)
    return index + np.where(is_negative, 2 ** (bits - 1), 0), np.where(is_negative, -1.0, 1.0) * magnitudes[index]


def integer_code(quotient, lowest, highest, bits, step=1.0):
    """Patterns in two's complement of the nearest multiples of `step`, halves to even, and these."""
    whole = np.clip(np.rint(quotient / step), lowest, highest)
    return whole.astype(int) & (2 ** bits - 1), whole * step


def table_code(quotient, numbers):
    """Indices of the nearest numbers of a table, and these."""
    index = nearest(quotient, numbers)
    return index, numbers[index]


def power_of_two(largest, most, rule, mantissa_bits):
    """Exponent of an E8M0 scale: the scale rules of the MX formats; `most` is the largest number of an element."""
    top, floor = np.frexp(largest)[1] - 1, np.frexp(largest)[1] - np.frexp(most)[1]
    up = {"floor": False,
          "rceil": largest > np.ldexp(most, floor),
          "even": largest >= np.ldexp(2.0 - 2.0 ** (-1 - mantissa_bits), top),
          "ceil": largest > np.ldexp(1.0, top)}[rule]
    return int(np.clip(floor + up, -127, 127)) if largest else -127


def show_block(index, values, code, scale, zero_point=0):
    """The scale, then a line "index value pattern decoded" for each value, all in float32."""
    x = np.where(np.isnan(values), 0, np.clip(values, -np.finfo("f4").max, np.finfo("f4").max)).astype("f4")
    pattern, number = code((x / np.float32(scale)).astype("f8"))
    print("scale", float(scale))
    for row in zip(index, values, pattern, (np.float32(scale) * (number - zero_point).astype("f4"))):
        print(int(row[0]), float(row[1]), hex(int(row[2])), float(row[3]))
