#!/usr/bin/env python3
"""Writes sound HDF5 files of many kinds into the working directory: sound_files.py

Everything that h5py can write and that a reader of metadata meets: versions of the format, indices of chunks, heaps, links,
types, shared messages, user blocks. Values are small; what matters is structure.
"""
import itertools

import h5py
import numpy as np

VERSIONS = ["earliest", "v108", "v110", "latest"]


def values(*shape):
    return np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)


def storage(file):
    """Layouts, filters and indices of chunks."""
    file["contiguous"] = values(7, 9)
    file["scalar"] = np.float32(3)
    file["big_endian"] = values(4, 4).astype(">f4")
    file["null"] = h5py.Empty("f4")
    file.create_dataset("no_length", data=np.zeros((0, 5), "f4"), maxshape=(None, 5), chunks=(2, 5))
    file.create_dataset("unwritten", (100, 100), "f4")
    file.create_dataset("unwritten_chunks", (100, 100), "f4", chunks=(10, 10))
    file.create_dataset("fill", (20, 20), "f4", chunks=(10, 10), fillvalue=2.5)[:10] = 1
    compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    compact.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple((5, 5))
    h5py.h5d.create(file.id, b"compact", h5py.h5t.IEEE_F32LE, space, compact).write(
        h5py.h5s.ALL, h5py.h5s.ALL, values(5, 5))
    early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    early.set_chunk((3, 4))
    early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    h5py.h5d.create(file.id, b"implicit", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((10, 10)), early).write(
        h5py.h5s.ALL, h5py.h5s.ALL, values(10, 10))
    filters = {
        "plain": {},
        "gzip": {"compression": "gzip"},
        "gzip_shuffle": {"compression": "gzip", "shuffle": True},
        "lzf": {"compression": "lzf"},
        "fletcher32": {"fletcher32": True},
        "all": {"compression": "gzip", "shuffle": True, "fletcher32": True},
        "scaleoffset": {"scaleoffset": 3},
    }
    shapes = {
        "fixed": dict(shape=(40, 30), chunks=(7, 8)),
        "single": dict(shape=(8, 8), chunks=(8, 8)),
        "one_axis": dict(shape=(1000,), chunks=(9,)),
        "grows": dict(shape=(50, 12), chunks=(3, 5), maxshape=(None, 12)),
        "grows_last": dict(shape=(12, 50), chunks=(3, 5), maxshape=(12, None)),
        "grows_both": dict(shape=(20, 20), chunks=(3, 5), maxshape=(None, None)),
        "may_grow": dict(shape=(20, 20), chunks=(3, 5), maxshape=(40, 25)),
        "three": dict(shape=(5, 6, 7), chunks=(2, 4, 3), maxshape=(None, 6, 9)),
    }
    for (name, options), (shape_name, shape) in itertools.product(filters.items(), shapes.items()):
        dataset = file.create_dataset(f"{shape_name}_{name}", dtype="f4", **shape, **options)
        dataset[...] = values(*shape["shape"])
    many = file.create_dataset("many_chunks", (70, 70), "f4", chunks=(1, 1), maxshape=(70, 100))
    many[...] = values(70, 70)
    tall = file.create_dataset("tall", (6000,), "f4", chunks=(1,), maxshape=(None,))
    tall[...] = values(6000)
    parts = file.create_dataset("parts_written", (5000,), "f4", chunks=(2,))
    parts[4000:4010] = 1
    shrunk = file.create_dataset("shrunk", (90, 9), "f4", chunks=(4, 4), maxshape=(None, None))
    shrunk[...] = 1
    shrunk.resize((31, 5))
    grown = file.create_dataset("grown", (3, 9), "f4", chunks=(4, 4), maxshape=(None, None), compression="gzip")
    for rows in (9, 50, 20, 70):
        grown.resize((rows, 9))
        grown[rows - 3:] = rows
    reversed_ = file.create_dataset("written_backwards", (200, 4), "f4", chunks=(3, 4))
    for row in range(199, -1, -7):
        reversed_[row] = row
    unfiltered = file.create_dataset("chunk_as_it_is", (8, 8), "f4", chunks=(4, 8), compression="gzip")
    unfiltered.id.write_direct_chunk((0, 0), values(4, 8).tobytes(), 1)
    unfiltered[4:] = 1


def types(file):
    for name in ("i1", "u1", "i2", ">i2", "i4", "u8", "f2", "f4", ">f8", "f8", "c8", "S7", "V3", "?"):
        file["type_" + name.replace(">", "big_")] = np.zeros((3, 4), name)
    file["long_double"] = np.zeros(4, np.longdouble)
    file["texts"] = np.array(["a", "", "longer text" * 9], dtype=h5py.string_dtype())
    file.create_dataset("texts_filled", (4,), h5py.string_dtype(), fillvalue="abc", chunks=(2,))
    rows = file.create_dataset("rows", (3,), h5py.vlen_dtype("f4"))
    rows[1] = np.arange(5)
    nested = np.dtype([("a", "f4"), ("b", "i2", (2, 3)), ("c", [("d", "u1"), ("e", "S5")])])
    file["records"] = np.zeros(5, nested)
    file.create_dataset("records_with_texts", (3,), np.dtype([("n", "i4"), ("t", h5py.string_dtype())]))
    file["arrays"] = np.zeros(3, np.dtype((np.float32, (2, 2))))
    file.create_dataset("choices", (3,), h5py.enum_dtype({"RED": 0, "GREEN": 1, "A_LONGER_NAME": 42}, "i4"))
    file.create_dataset("references", (2,), h5py.ref_dtype)[0] = file["records"].ref
    file.create_dataset("region", (1,), h5py.regionref_dtype)[0] = file["arrays"].regionref[0:1]
    file["named"] = np.dtype("f4")
    file["named_record"] = nested
    for number in range(3):
        file.create_dataset(f"of_named_{number}", (4,), file["named"])
        file.create_dataset(f"of_named_record_{number}", (4,), file["named_record"])
    file["of_named_0"].attrs.create("typed", 3, dtype=file["named"])


def attributes(file):
    file.attrs["text"] = "of variable length"
    file.attrs["empty"] = ""
    file.attrs["texts"] = ["one", "", "three" * 100]
    file.attrs["bytes"] = np.bytes_("fixed")
    file.attrs["number"] = 3
    file.attrs["null"] = h5py.Empty("f4")
    file.attrs["array"] = np.arange(100)
    file.attrs["flag"] = True
    group = file.create_group("many")
    for number in range(60):  # in a heap and trees from 9 on, in the later versions
        group.attrs[f"attribute {number}"] = f"text {number}" * number
    file.create_dataset("with_attributes", data=values(3))
    for number in range(20):
        file["with_attributes"].attrs[f"n{number}"] = number
    for number in range(0, 20, 3):
        del file["with_attributes"].attrs[f"n{number}"]
    if file.libver[0] != "earliest":
        large = file.create_group("large")
        large.attrs["large"] = np.zeros(100000)
        large.attrs["long text"] = "x" * 100000


def links(file):
    file["a/b/c/d/e"] = values(3)
    file["hard"] = file["a/b"]
    file["loop"] = file["/"]
    file["soft"] = h5py.SoftLink("/a/b/c/d/e")
    file["dangling"] = h5py.SoftLink("nowhere")
    file["external"] = h5py.ExternalLink("other.h5", "/x")
    file["ünïcode ✓"] = values(2)
    file["x" * 4000] = values(2)
    for count in (9, 40, 300, 3000):
        group = file.create_group(f"group_{count}")
        for number in range(count):
            group[f"member {number * 7919 % count}"] = h5py.SoftLink(f"/{number}")
        for number in range(0, count, 5):
            del group[f"member {number}"]
    for number in range(400):
        file[f"datasets/{number}"] = values(number % 3)
    group = file.create_group("tracked", track_order=True)
    for number in range(30):
        group[f"z{30 - number}"] = values(1)
    group.attrs["of a tracked group"] = 1
    dataset = file.create_dataset("tracked_dataset", data=values(2), track_order=True)
    for number in range(20):
        dataset.attrs[f"z{30 - number}"] = number
    file.create_group("emptied")["x"] = values(1)
    del file["emptied/x"]
    file.move("group_9", "moved")
    churned = file.create_group("churned")  # room of names that is lost, free, and used again
    for number in range(60):
        churned[f"{number}"] = values(1)
        churned[f"a longer name {number}"] = churned[f"{number}"]
    for number in range(0, 60, 2):
        del churned[f"{number}"]
        del churned[f"a longer name {number // 3}" if f"a longer name {number // 3}" in churned else f"{number + 1}"]
        churned[f"new {number}"] = values(2)
        churned.move(f"new {number}", "moved" * (number % 9) + f" {number}")


def virtual(file):
    file["source"] = values(4, 10)
    layout = h5py.VirtualLayout((8, 10), "f4")
    layout[:4] = h5py.VirtualSource(file["source"])
    layout[4:, ::2] = h5py.VirtualSource(file["source"])[:, ::2]
    file.create_virtual_dataset("virtual", layout, fillvalue=-1)
    raw = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    raw.set_external(b"raw.bin", 0, 400)
    h5py.h5d.create(file.id, b"raw", h5py.h5t.IEEE_F32LE, h5py.h5s.create_simple((10, 10)), raw)


def everything(file):
    for part in (storage, types, attributes, links):
        part(file)
    if file.libver[0] != "earliest":
        virtual(file)


def main():
    for version in VERSIONS:
        with h5py.File(f"{version}.h5", "w", libver=version) as file:
            everything(file)
        with h5py.File(f"{version}_tracked.h5", "w", libver=version, track_order=True) as file:
            everything(file)
        with h5py.File(f"{version}_block.h5", "w", libver=version, userblock_size=2048) as file:
            everything(file)
        h5py.File(f"{version}_empty.h5", "w", libver=version).close()
        with h5py.File(f"{version}_gone.h5", "w", libver=version) as file:
            everything(file)
            for name in list(file)[::2]:
                del file[name]
            file["again"] = values(100)
    with h5py.File("mixed.h5", "w", libver="earliest") as file:
        file["old"] = values(3, 3)
    with h5py.File("mixed.h5", "a", libver="latest") as file:
        everything(file)
    for strategy in ("fsm", "page", "aggregate", "none"):
        with h5py.File(f"{strategy}.h5", "w", libver="latest", fs_strategy=strategy, fs_persist=strategy in ("fsm", "page")) as file:
            everything(file)
    with h5py.File("swmr.h5", "w", libver="latest") as file:
        file.create_dataset("rows", (0, 10), "f4", maxshape=(None, 10), chunks=(1, 10))
        file.swmr_mode = True
        for row in range(300):
            file["rows"].resize((row + 1, 10))
            file["rows"][row] = row
            file["rows"].flush()


if __name__ == "__main__":
    main()
