// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/dump/hdf5/chunk_decoder.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/slab_plan.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace calibscope::hdf5 {

/// A slab to be read, and room for its bytes.
struct SlabRoom
{
    Slab slab;
    std::vector<std::byte> bytes;
    std::string fault;    ///< why it could not be read, as a clause
    bool isFill = false;  ///< no chunk of it was ever written: it holds one value, over and over
};

/// Reads a dataset's bytes past the library: values in one piece by their place in the file, chunks
/// by the places that their index tells, decoded by all threads at once. Nothing of what the file
/// says of places and lengths is believed: each is held against the file and against the shape.
class RawSlabs
{
public:
    /// Nothing where only the library knows where the values lie: compact, virtual and raw files.
    /// `chunk`: empty, or all 1, for values in one piece. `stored`: the chunks that the index
    /// lists, where that is known: asking takes a walk through it. Call under the Lock; the dataset
    /// must outlive it.
    [[nodiscard]] static std::optional<RawSlabs> of(hid_t dataset, hid_t creationProperties,
                                                    std::size_t elementBytes,
                                                    std::vector<std::uint64_t> chunk,
                                                    std::optional<std::uint64_t> stored = {});

    /// Fills the slabs, whose bytes have their size, or says why not. Chunks that were never
    /// written become the fill value, or 0 where there is none. Any box of chunked values will do;
    /// of values in one piece a slab must be a run of them. Not under the Lock.
    void read(std::span<SlabRoom> slabs) const;
    /// Fills the room of any box of values in one piece, whose dataset has that shape, or says why
    /// not. What lies between values that are near to each other is read with them. Throws
    /// Cancelled. Not under the Lock.
    void readBox(SlabRoom& room, const std::vector<std::uint64_t>& shape,
                 const Progress& progress) const;

    [[nodiscard]] bool isChunked() const { return !m_chunk.empty(); }
    /// Byte of the file where values in one piece begin.
    [[nodiscard]] std::uint64_t offset() const { return m_offset; }
    /// Why not all chunks that the index lists were found, as a clause, or nothing; to be asked
    /// when each was read once.
    [[nodiscard]] std::string faultOfCount() const;
    /// The same where nobody has read all of them: looks each up, and reads none.
    [[nodiscard]] std::string faultOfIndex(const std::vector<std::uint64_t>& shape,
                                           const Progress& progress) const;
    /// How many slabs of so many bytes are worth reading at once.
    [[nodiscard]] std::size_t slabsAtOnce(std::uint64_t slabBytes) const;

private:
    RawSlabs() = default;
    struct Scratch;
    struct Task;
    void readPiece(SlabRoom& room) const;
    void readChunks(std::span<SlabRoom> slabs) const;
    [[nodiscard]] std::string readChunk(const Task& task, SlabRoom& room, Scratch& scratch) const;
    [[nodiscard]] std::string storedChunk(const Task& task, Scratch& scratch) const;
    [[nodiscard]] std::vector<Task> tasksFor(std::span<const SlabRoom> slabs) const;
    void fill(SlabRoom& room) const;

    hid_t m_dataset = H5I_INVALID_HID;
    int m_descriptor = -1;
    std::uint64_t m_offset = 0;
    std::uint64_t m_fileBytes = 0;
    std::uint64_t m_stored = 0;                           ///< chunks that the index lists
    std::shared_ptr<std::atomic<std::uint64_t>> m_found;  ///< chunks that were read
    std::vector<std::uint64_t> m_chunk;                   ///< empty: values in one piece
    std::vector<std::byte> m_fill;  ///< an element of chunks that were never written
    ChunkCode m_code;
};

/// Reads all values of a dataset, and keeps none of them: why some can't be read, as a sentence, or
/// nothing, also where only the library knows where they lie. Throws Cancelled. Not under the Lock.
[[nodiscard]] std::string faultOfValues(hid_t dataset, const Progress& progress);

}  // namespace calibscope::hdf5
