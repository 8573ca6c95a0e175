"""Small dumps of many kinds to be damaged, and which of their bytes are what."""
import hashlib
import pathlib
import sys

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "resources/recorders"))
VERSIONS = ["earliest", "latest"]
ONLY_LATEST = ["virtual", "recorded"]


def values(generator, *shape):
    return generator.normal(0.3, 1.0, shape).astype(np.float32)


def contiguous(file, make):
    for number in range(4):
        file[f"activations/conv{number}"] = make(8, 30)


def chunked(file, make):
    for number in range(3):
        file.create_dataset(f"activations/conv{number}", data=make(16, 24), chunks=(4, 10), maxshape=(None, 24))


def filtered(**options):
    def write(file, make):
        for number in range(3):
            file.create_dataset(f"activations/conv{number}", data=make(16, 24), chunks=(5, 24), **options)
    return write


def compact(file, make):
    for number in range(4):
        properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        properties.set_layout(h5py.h5d.COMPACT)
        dataset = h5py.h5d.create(file.id, f"t{number}".encode(), h5py.h5t.IEEE_F32LE,
                                  h5py.h5s.create_simple((4, 30)), properties)
        dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, make(4, 30))


def virtual(file, make):
    for part in range(3):
        file[f"parts/{part}"] = make(4, 20)
    layout = h5py.VirtualLayout((12, 20), "f4")
    for part in range(3):
        layout[4 * part:4 * part + 4] = h5py.VirtualSource(file[f"parts/{part}"])
    file.create_virtual_dataset("activations/whole", layout)


def deep(file, make):
    for number in range(6):
        file["/".join(f"block{level}" for level in range(number + 1)) + f"/weights/w{number}"] = make(5, 12)


def attributes(file, make):
    file.attrs["model"] = "a text of variable length"
    for number in range(4):
        dataset = file.create_dataset(f"activations/conv{number}", data=make(12, 3, 8))
        dataset.attrs.update({"batch_axis": 0, "channel_axis": 1, "batch_size": 4, "op_type": "Conv",
                              "inputs": [f"conv{number - 1}", "x"], "note": "text " * 20})
        for index in range(10):
            dataset.attrs[f"further {index}"] = index


def batches(file, make):
    for number in range(12):
        file[f"activations/conv/batch_{number:03}"] = make(2, 3, 10)
    for number in range(40):
        file[f"weights/w{number}"] = make(4, 3)


def types(file, make):
    file["half"] = make(8, 20).astype("f2")
    file["big"] = make(8, 20).astype(">f4")
    file["double"] = make(8, 20).astype("f8")
    file["whole"] = (make(8, 20) * 20).astype("i1")
    file["scales/x"] = make(20)


def digest(file, make):
    for number in range(4):
        kept = make(8, 30)
        dataset = file.create_dataset(f"activations/conv{number}", data=kept)
        dataset.attrs.update({"values_sha256": hashlib.sha256(kept.tobytes()).hexdigest(), "values_count": kept.size})


SOURCES = {
    "contiguous": contiguous,
    "chunked": chunked,
    "gzip": filtered(compression="gzip"),
    "gzip-shuffle": filtered(compression="gzip", shuffle=True),
    "lzf": filtered(compression="lzf"),
    "fletcher32": filtered(fletcher32=True),
    "compact": compact,
    "virtual": virtual,
    "deep": deep,
    "attributes": attributes,
    "batches": batches,
    "types": types,
    "digest": digest,
    "recorded": None,  # by the recorder itself
}


def record(path, seed):
    """As the recorder writes, which is one for all versions."""
    import calibration_dump

    generator = np.random.default_rng(seed)
    with calibration_dump.DumpWriter(path, model="a network") as dump:
        for batch in range(3):
            for number in range(3):
                dump.append(f"conv{number}", values(generator, 4, 3, 10), op_type="Conv", inputs=["x"], layout="NCT", channel_axis=1)
        dump.add_weight("kernel", values(generator, 6, 3, 3), op_type="Conv", channel_axis=0)


def write(path, name, version, seed):
    if name == "recorded":
        record(path, seed)
        return
    generator = np.random.default_rng(seed)
    with h5py.File(path, "w", libver=version) as file:
        SOURCES[name](file, lambda *shape: values(generator, *shape))


def stretches_of_values(path):
    """(first byte, byte behind the last, whether a checksum covers them) of all values of a file."""
    found = []

    def look(_, dataset):
        if not isinstance(dataset, h5py.Dataset) or dataset.is_virtual:
            return
        is_checked = dataset.fletcher32 or dataset.compression == "gzip" or "values_sha256" in dataset.attrs
        if dataset.chunks:
            for index in range(dataset.id.get_num_chunks()):
                chunk = dataset.id.get_chunk_info(index)
                found.append((chunk.byte_offset, chunk.byte_offset + chunk.size, is_checked))
        elif dataset.id.get_offset() is not None:
            found.append((dataset.id.get_offset(), dataset.id.get_offset() + dataset.id.get_storage_size(), is_checked))
        else:  # compact: in the header, whose checksum, where it has one, may be mended
            with open(path, "rb") as whole:
                at = whole.read().find(dataset[...].tobytes())
            found.append((at, at + dataset.id.get_storage_size(), False))

    with h5py.File(path, "r") as file:
        file.visititems(look)
    return found
