def last_count(parts):
    """Finite values of the last batch of all, or of the last sample of a batch."""
    return finite(parts[-1:]).size


def aciq(x, count, bits):
    """The best clipping of Gaussian data of which the largest of so many magnitudes is that of x; float32 where ncnn has
    it."""
    clips = [1.71063519, 2.15159277, 2.55913646, 2.93620062, 3.28691474, 3.6151146, 3.92403714]  # of 2 to 8 bits
    largest = np.abs(x).max()
    with np.errstate(over="ignore"):
        both = float(np.float32(largest) * np.float32(2))
        if count < 2:
            return largest
        deviation = both * (0.5 * 0.35 * (1 + np.sqrt(np.pi * np.log(4)))) / np.sqrt(2 * np.log(count))
        threshold = float(np.float32(float(np.float32(clips[min(bits, 8) - 2])) * deviation))
    return threshold if np.isfinite(threshold) else largest
