def masses(histogram, x, of, has_points):
    """The histogram's masses, and the values that are known exactly (zeros, least, greatest), taken out of their bins."""
    low, high, counts = histogram
    left, points = counts.astype("f8"), []
    values = of(x)
    known = dict.fromkeys([0.0, 0.0 if of is np.abs else values.min(), values.max()])
    for value in known if has_points else ():
        index = bin_of(value, low, high, counts)
        taken = min(left[index], (values == value).sum())
        left[index] -= taken
        points.append((value, taken))
    return left, np.array([point for point in points if point[1] > 0]).reshape(-1, 2)


def cube(x):
    return x * x * x  # a power is many times slower


def integral(place, q):
    """Of the squared error from 0 to a place: with u = x / s + z every whole period of u adds s^3 / 12."""
    u = place / q.scale + q.zero_point
    inside = np.minimum(np.maximum(u, q.lowest - 0.5), q.highest + 0.5)
    level = np.minimum(np.maximum(np.rint(inside), q.lowest), q.highest)
    total = cube(q.scale) * (level / 12 + (cube(inside - level) + 0.125) / 3)
    border = q.scale * (inside - q.zero_point)
    value = q.scale * (np.where(u < inside, q.lowest, q.highest) - q.zero_point)
    return total + np.where(u == inside, 0.0, (cube(place - value) - cube(border - value)) / 3)


def places_of(histogram, left, density):
    """Of the bins with a mass: masses, and where these lie, both edges or one place."""
    at, used = edges(*histogram), left > 0
    if density == "centre":
        centres = histogram[0] + (np.arange(len(left)) + 0.5) * ((histogram[1] - histogram[0]) / len(left))
        return left[used], centres[used][None]
    return left[used], np.array([at[:-1][used], at[1:][used]] if at[-1] > at[0] else [at[:-1][used]])


def squared_error(placed, points, q):
    """Of all masses under a quantizer, those of a bin evenly between its edges or at its centre."""
    left, places = placed
    if len(places) == 2:
        below = integral(places, q)
        error = np.sum(left * np.maximum(below[1] - below[0], 0.0) / (places[1] - places[0]))
    else:
        error = np.sum(left * (places[0] - quantized(places[0], q)) ** 2)
    return error + np.sum(points[:, 1] * (points[:, 0] - quantized(points[:, 0], q)) ** 2)
