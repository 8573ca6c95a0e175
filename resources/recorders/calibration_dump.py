"""Writes recorded tensors batch by batch into an HDF5 file in the layout `calibration-dump` 1.

    with DumpWriter("dump.h5", model="my network") as dump:
        for batch in batches:
            dump.append("conv1", run(batch), op_type="Conv", layout="NCHW")
        dump.add_weight("conv1.weight", kernel, op_type="Conv", channel_axis=0, consumer="conv1")
        dump.add_bias("conv1.bias", bias, op_type="Conv", consumer="conv1")

Each batch goes to the file at once and is not kept. The file has its name only when it is whole: until then it is
called NAME.part, and an exception removes it. A live one has its name from the start and can be read after each batch,
by Calibscope or whoever opens it for SWMR; an exception ends it with the batches so far. Needs h5py 3 and NumPy 1 or 2, no framework; record_torch.py records
PyTorch networks with it.
"""
from __future__ import annotations

import contextlib
import copy
import dataclasses
import datetime
import functools
import hashlib
import inspect
import math
import os
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import h5py
import numpy as np

_CHUNK_LIMIT = 2**32 - 1  # bytes, HDF5's own

# The file's space is handed out in pages: its structure then lies together, and a dump of thousands of tensors is listed
# with some dozens of reads in place of one for each. Larger pages would save few more, and chunks that are a little larger
# than one would take two.
_PAGES: dict[str, Any] = {"fs_strategy": "page", "fs_page_size": 1 << 16} \
    if "fs_page_size" in inspect.signature(h5py.File).parameters else {}


class RecordingWarning(UserWarning):
    """Something was left out of a dump, or is not known in it."""


def bfloat16_type() -> h5py.h5t.TypeID:
    """bfloat16 as an HDF5 floating-point type, which readers know by its fields: no attribute is needed."""
    kind = h5py.h5t.IEEE_F32LE.copy()
    kind.set_fields(15, 7, 8, 0, 7)  # sign bit, exponent at and bits, mantissa at and bits
    kind.set_size(2)  # after the fields: a type never has room for less than they need
    kind.set_ebias(127)
    return kind


def _chunk_of(shape: tuple[int, ...], item_bytes: int) -> tuple[int, ...]:
    """One recorded batch, made smaller where HDF5 allows no chunk of that size."""
    chunk = [max(1, length) for length in shape]
    while math.prod(chunk) * item_bytes > _CHUNK_LIMIT:
        axis = next(axis for axis, length in enumerate(chunk) if length > 1)
        chunk[axis] = (chunk[axis] + 1) // 2
    return tuple(chunk)


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, (str, list, tuple)) and len(value) == 0)


# Who reads a live dump to its end may have locked it.
_UNLOCKED: dict[str, Any] = {"locking": False} if "locking" in inspect.signature(h5py.File).parameters else {}


def _reopened(path: str) -> h5py.File:
    """A live dump once its batches are complete. Where its lock can't be passed over, readers are waited for."""
    patience = 50
    for left in reversed(range(patience)):
        try:
            return h5py.File(path, "r+", rdcc_nbytes=0, libver="v110", **_UNLOCKED)
        except OSError:
            if left == 0:
                raise
            time.sleep(0.1)
    raise AssertionError


class _Batches:
    """How many samples the batches of a tensor had."""

    def __init__(self) -> None:
        self.first = 0
        self.last = 0
        self.is_regular = True  # all like the first, but for a shorter last one
        self.was_left_out = False  # at least one

    def add(self, samples: int) -> None:
        self.is_regular = self.is_regular and self.last == self.first and samples <= (self.first or samples)
        self.first = self.first or samples
        self.last = samples


class _Places:
    """Where in the calibration set the samples of a tensor are."""

    def __init__(self) -> None:
        self.known: list[int] | None = []  # nothing: not stated for every batch

    def copy(self) -> _Places:
        other = _Places()
        other.known = None if self.known is None else list(self.known)
        return other

    def add(self, places: Sequence[int] | None, samples: int) -> None:
        if places is not None and len(places) != samples:
            raise ValueError(f"{len(places)} places for {samples} samples")
        self.known = None if self.known is None or places is None else [*self.known, *map(int, places)]


@dataclasses.dataclass
class _Feed:
    """What an input was fed in a batch, until it is known whether the same is recorded as an activation."""

    values: np.ndarray
    activation: str  # that may hold the same
    first: int | None = None  # from which sample on it does


class _Digest:
    """What makes damage detectable: SHA-256 of the values as stored, little-endian, and count and ends of them."""

    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()
        self._count = 0
        self._ends: list[Any] = []  # least and greatest of the finite values

    def copy(self) -> _Digest:
        other = copy.copy(self)
        other._sha256 = self._sha256.copy()
        return other

    def add(self, values: np.ndarray, is_bfloat16: bool) -> None:
        self._sha256.update(values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes())
        self._count += values.size
        numbers = (values.astype(np.uint32) << 16).view(np.float32) if is_bfloat16 else values
        if numbers.dtype.kind in "iuf":
            numbers = numbers[np.isfinite(numbers)]
            if numbers.size > 0:
                both = [numbers.min(), numbers.max(), *self._ends]
                self._ends = [min(both), max(both)]

    def attributes(self) -> dict[str, Any]:
        found: dict[str, Any] = {"values_sha256": self._sha256.hexdigest(), "values_count": self._count}
        if self._ends:
            found.update(values_min=self._ends[0], values_max=self._ends[1])
        return found


class DumpWriter:
    """A dump that is being written; use it in a `with` statement.

    `gzip` is a level from 1 to 9, None for none. `live`: it can be read while it grows, see flush(). Further keywords
    become attributes of the file: model, source, framework, note.
    """

    def __init__(self, path: str | os.PathLike[str], *, gzip: int | None = None, live: bool = False,
                 **about: str | int | None) -> None:
        self.path = os.fspath(path)
        self._part = self.path if live else f"{self.path}.part"
        self._live = live
        self._is_swmr = False
        self._at_end: list[Callable[[], object]] = []  # what SWMR does not let be written
        self._complete: tuple[Any, ...] = ()  # what there was at the last flush()
        if live:  # whoever reads a former file goes on reading that
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path)
        self._filters: dict[str, Any] = {} if gzip is None else {"compression": "gzip", "compression_opts": gzip,
                                                                 "shuffle": True}
        self._batches: dict[str, _Batches] = {}
        self._places: dict[str, _Places] = {}
        self._feeds: dict[str, _Feed] = {}  # by the path that they are to have
        self._feed_batch: int | None = None
        self._linked: dict[str, tuple[str, int, int]] = {}  # feeds that activations hold: which, from where, how many
        self._refused: set[str] = set()
        self._digests: dict[str, _Digest] = {}
        # Whole chunks are written: a cache of a megabyte for each of a thousand tensors would be of no use.
        # From format 1.10 on the structure, too, has checksums.
        self._file = h5py.File(self._part, "w", rdcc_nbytes=0, libver="v110", **_PAGES)
        created = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")
        self._file.attrs.update(format="calibration-dump", format_version=1, created=created,
                                **{name: value for name, value in about.items() if value})

    def __enter__(self) -> DumpWriter:
        return self

    def __exit__(self, kind: type | None, *_: object) -> None:
        if kind is not None and not self._complete:
            self.discard()
            return
        try:
            if kind is not None:
                self._go_back()
            self.finish()
        except BaseException:  # a full disk, for one
            if not self._live:
                self.discard()
            raise

    def append(self, name: str, values: np.ndarray, *, is_bfloat16: bool = False,
               samples: Sequence[int] | None = None, mask: np.ndarray | None = None, **attributes: Any) -> bool:
        """Adds a batch of an activation, samples along axis 0.

        The first batch decides type, the lengths of all other axes and the attributes (op_type, layout, inputs,
        channel_axis, graph_name, node, output_index, strides and the like; see resources/docs/dump-format.md). A batch
        of another shape is left out with a warning. `is_bfloat16`: the values are uint16 patterns. `samples`: places in
        the calibration set; a tensor whose batches have all stated theirs, and that lacks some which another one has,
        tells them in its attribute `samples`. `mask`: which positions count, other than 0, with the first axes of the
        values, each of their length or, but for the samples', 1; all batches have one or none has. Tells whether the batch
        was written.
        """
        if mask is not None:
            mask = np.asarray(mask) != 0
            lengths = zip(mask.shape[1:], values.shape[1:])
            if mask.shape[:1] != values.shape[:1] or mask.ndim > values.ndim or \
                    any(own not in (1, length) for own, length in lengths):
                raise ValueError(f"{name}: a mask of shape {mask.shape} does not fit values of shape {values.shape}")
            attributes["mask"] = f"/activations/{name}.mask"
        if name in self._batches and (f"{name}.mask" in self._batches) != (mask is not None):
            raise ValueError(f"{name}: either all of its batches have a mask, or none has")
        path = f"activations/{name}"
        if path in self._refused:
            return False
        if name not in self._batches:
            if self._is_swmr:
                return self._refuse(path, "a live dump has the tensors of its first batch alone")
            if not self._create(path, (0, *values.shape[1:]), values, is_bfloat16, attributes):
                return False
            self._file[path].attrs["order"] = len(self._batches)
            self._batches[name] = _Batches()
        data, batches = self._file[path], self._batches[name]
        if data.shape[1:] != values.shape[1:]:
            if not batches.was_left_out:
                self.warn(f"{name}: batches of shape {values.shape} are left out, since the first one had samples of "
                          f"shape {data.shape[1:]}; record inputs of one shape, or pad them")
            batches.was_left_out = True
            return False
        if len(values) > 0:
            before = len(data)
            data.resize(before + len(values), axis=0)
            self._write(data, before, values, is_bfloat16)
            batches.add(len(values))
            self._places.setdefault(name, _Places()).add(samples, len(values))
            self._note_feed(name, before, values, is_bfloat16)
        return mask is None or self.append(f"{name}.mask", mask.astype(np.uint8))

    def add_weight(self, name: str, values: np.ndarray, *, is_bfloat16: bool = False, **attributes: Any) -> bool:
        """Adds a weight (op_type, channel_axis, consumer, graph_name). Tells whether it was written."""
        path = f"weights/{name}"
        if self._is_swmr:
            self._at_end.append(functools.partial(self.add_weight, name, values.copy(), is_bfloat16=is_bfloat16,
                                                  **attributes))
            return True
        if not self._create(path, values.shape, values, is_bfloat16, attributes):
            return False
        self._write(self._file[path], 0, values, is_bfloat16)
        return True

    def add_bias(self, name: str, values: np.ndarray, *, is_bfloat16: bool = False, **attributes: Any) -> bool:
        """Adds a layer's bias (op_type, consumer, graph_name). Tells whether it was written."""
        return self.add_weight(name, values, is_bfloat16=is_bfloat16, role="bias", **attributes)

    def add_feed(self, batch: int, name: str, values: np.ndarray, *, activation: str | None = None) -> bool:
        """Adds what an input of the graph was fed in a batch, counted from 0, exactly as it was: integers, too, and single
        values as lists of one. Feeds of a batch come before its activations: one that is recorded as the activation
        of that name (without one of its own), too, becomes a link to that (or, of several batches, a view into it) and
        is not written twice. Tells whether it can be written."""
        values = np.atleast_1d(values)
        if values.dtype.kind not in "biuf":
            return self._refuse(f"feeds/{batch}/{name}", f"it holds {values.dtype}")
        if batch != self._feed_batch:
            self._write_feeds()
            self._feed_batch = batch
        dotted = name.replace("/", ".")
        self._feeds[f"feeds/{batch}/{dotted}"] = _Feed(values.copy(), activation or dotted.lstrip("."))
        return True

    def _note_feed(self, name: str, first: int, values: np.ndarray, is_bfloat16: bool) -> None:
        """Whether this batch of an activation is what was fed."""
        for feed in self._feeds.values():
            known = feed.values
            if not is_bfloat16 and feed.activation == name and known.dtype == values.dtype \
                    and known.shape == values.shape and known.tobytes() == values.tobytes():
                feed.first = first

    def _write_feeds(self) -> None:
        """Writes the feeds of the batch that is at its end, but for those that are linked when all are there."""
        for path, feed in list(self._feeds.items()):
            if feed.first is not None:
                self._linked[path] = (feed.activation, feed.first, len(feed.values))
            elif self._is_swmr:
                self._at_end.append(functools.partial(self._write_feed, path, feed.values))
            else:
                self._write_feed(path, feed.values)
        self._feeds.clear()

    def _write_feed(self, path: str, values: np.ndarray) -> None:
        options = {"chunks": _chunk_of(values.shape, values.itemsize), **self._filters} \
            if self._filters and values.size else {}
        try:
            self._file.create_dataset(path, data=values, **options)
        except (ValueError, TypeError) as error:
            self._refuse(path, str(error))
            return
        self._digests.setdefault(f"/{path}", _Digest()).add(values, False)

    def _link_feeds(self) -> None:
        for path, (name, first, samples) in self._linked.items():
            activation = self._file[f"activations/{name}"]
            if len(activation) == samples:
                self._file[path] = activation
                continue
            view = h5py.VirtualLayout((samples, *activation.shape[1:]), activation.dtype)
            view[...] = h5py.VirtualSource(".", activation.name, activation.shape)[first:first + samples]
            self._file.create_virtual_dataset(path, view)

    def set_attribute(self, name: str, attribute: str, value: Any) -> None:
        """Sets an attribute of an activation that was recorded, or removes it with None."""
        if self._is_swmr:
            self._at_end.append(functools.partial(self.set_attribute, name, attribute, value))
            return
        attributes = self._file[f"activations/{name}"].attrs
        if value is None:
            attributes.pop(attribute, None)
        else:
            attributes[attribute] = value

    def warn(self, sentence: str) -> None:
        """Issues a RecordingWarning."""
        warnings.warn(sentence, RecordingWarning, stacklevel=3)

    def flush(self) -> None:
        """A batch is complete: readers of a live dump see it. The first one decides which tensors there are; weights,
        attributes and integers that were fed come into the file at once before that, at the end afterwards."""
        if not self._live:
            return
        if not self._is_swmr:
            self._write_feeds()
            for name, batches in self._batches.items():
                self.set_attribute(name, "batch_size", batches.first)
            self._file.swmr_mode = True
            self._is_swmr = True
        self._file.flush()
        self._complete = (
            {name: len(self._file[f"activations/{name}"]) for name in self._batches},
            {name: copy.copy(batches) for name, batches in self._batches.items()},
            {name: places.copy() for name, places in self._places.items()},
            {path: digest.copy() for path, digest in self._digests.items()}, self._feed_batch)

    def _go_back(self) -> None:
        """To the last batch that was complete: what broke off may have made room for values that it did not write."""
        lengths, self._batches, self._places, self._digests, feed_batch = self._complete
        if self._feed_batch != feed_batch:
            self._feeds.clear()
        self._end_swmr()
        for name, samples in lengths.items():
            self._file[f"activations/{name}"].resize(samples, axis=0)

    def _end_swmr(self) -> None:
        """Writes what waited for it."""
        self._file.close()
        self._file = _reopened(self._part)
        self._is_swmr = False
        for write in self._at_end:
            write()

    def finish(self) -> None:
        """Closes the file and gives it its name."""
        self._write_feeds()
        if self._is_swmr:
            self._end_swmr()
        self._link_feeds()
        self._tell_places()
        for name, batches in self._batches.items():
            if batches.is_regular and batches.first:
                self.set_attribute(name, "batch_size", batches.first)
            elif batches.first:
                self.set_attribute(name, "batch_size", None)
                self.warn(f"{name}: its batches had different numbers of samples, so the dump does not tell them apart")
        for path, digest in self._digests.items():
            self._file[path].attrs.update(digest.attributes())
        self._file.close()
        with open(self._part, "rb+") as written:
            os.fsync(written.fileno())
        if self._part != self.path:
            os.replace(self._part, self.path)

    def _tell_places(self) -> None:
        """Tells which samples a tensor has, where it has not all that any has."""
        known = {name: places.known for name, places in self._places.items() if places.known is not None}
        every = sorted(set().union(*known.values()))
        for name, places in known.items():
            if places != every:
                self.set_attribute(name, "samples", np.array(places, np.uint32 if max(places) < 2**32 else np.uint64))

    def discard(self) -> None:
        """Closes the file and removes it."""
        try:
            self._file.close()
        finally:
            os.unlink(self._part)

    def _create(self, path: str, shape: tuple[int, ...], values: np.ndarray, is_bfloat16: bool,
                attributes: dict[str, Any]) -> bool:
        dtype = h5py.Datatype(bfloat16_type()) if is_bfloat16 else values.dtype
        is_activation = path.startswith("activations/")
        options: dict[str, Any] = {}
        if values.ndim > 0 and (is_activation or (self._filters and values.size)):
            options = {"chunks": _chunk_of(values.shape, values.itemsize), **self._filters}
        if is_activation:
            options["maxshape"] = (None, *shape[1:])
        if values.ndim == 0:
            return self._refuse(path, "it is a single value, not a tensor")
        try:
            data = self._file.create_dataset(path, shape, dtype=dtype, **options)
        except (ValueError, TypeError) as error:  # a group of that name, or a type that HDF5 has not
            return self._refuse(path, str(error))
        data.attrs.update({name: value for name, value in attributes.items() if not _is_absent(value)})
        return True

    def _refuse(self, path: str, reason: str) -> bool:
        self._refused.add(path)
        self.warn(f"{path}: is left out: {reason}")
        return False

    def _write(self, data: h5py.Dataset, first: int, values: np.ndarray, is_bfloat16: bool) -> None:
        values = np.ascontiguousarray(values)
        self._digests.setdefault(data.name, _Digest()).add(values, is_bfloat16)
        if not is_bfloat16:
            data[first:first + len(values)] = values
            return
        target = data.id.get_space()
        target.select_hyperslab((first, *(0,) * (values.ndim - 1)), values.shape)
        data.id.write(h5py.h5s.create_simple(values.shape), target, values, bfloat16_type())
