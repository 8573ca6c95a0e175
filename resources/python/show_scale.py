def show_scale(clip, q, channel=""):
    """The chosen threshold or range, and the scale that follows."""
    if clip is not None and not isinstance(clip, tuple):
        show("threshold" + channel, clip)
    for name, value in ("low", q.clip[0]), ("high", q.clip[1]), ("scale", q.scale), ("zero_point", q.zero_point):
        show(name + channel, value)
