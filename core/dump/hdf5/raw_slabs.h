#pragma once

#include "core/dump/hdf5/chunk_decoder.h"
#include "core/dump/hdf5/library.h"
#include "core/dump/slab_plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace calibscope::hdf5 {

/// A slab to be read, and room for its bytes.
struct SlabRoom
{
    Slab slab;
    std::vector<std::byte> bytes;
    bool isFilled = false;
};

/// Reads a dataset's bytes past the library: values in one piece by their place in the file, chunks
/// as they are stored, decoded by all threads at once.
class RawSlabs
{
public:
    /// Nothing where only the library can read it: other drivers, filters and storages, and chunks
    /// of more than 16 MiB. Call under the Lock; the dataset must outlive it.
    [[nodiscard]] static std::optional<RawSlabs> of(hid_t dataset, hid_t creationProperties,
                                                    std::size_t elementBytes,
                                                    std::vector<std::uint64_t> chunk);

    /// Fills the slabs, whose bytes have their size. Where anything is not as it ought to be (a
    /// chunk that was never written, a checksum, an end too early) a slab stays unfilled: the
    /// library's word counts then. Not under the Lock.
    void read(std::span<SlabRoom> slabs) const;

    /// How many slabs of so many bytes are worth reading at once.
    [[nodiscard]] std::size_t slabsAtOnce(std::uint64_t slabBytes) const;

private:
    RawSlabs() = default;
    struct Scratch;
    struct Task;
    void readPiece(SlabRoom& room) const;
    [[nodiscard]] bool readChunk(const Task& task, SlabRoom& room, Scratch& scratch) const;
    [[nodiscard]] std::vector<Task> tasksFor(std::span<const SlabRoom> slabs) const;

    hid_t m_dataset = H5I_INVALID_HID;
    int m_descriptor = -1;
    std::uint64_t m_offset = 0;
    std::vector<std::uint64_t> m_chunk;  ///< empty: values in one piece
    ChunkCode m_code;
};

}  // namespace calibscope::hdf5
