// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/chunk_decoder.h"

#include "core/dump/hdf5/lzf.h"
#include "core/kernels/unshuffle.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <new>
#include <utility>

namespace calibscope::hdf5 {

namespace {

constexpr std::size_t fletcherBytes = 4;

bool isPackingFilter(ChunkFilter filter)
{
    return filter == ChunkFilter::Deflate || filter == ChunkFilter::Lzf ||
           filter == ChunkFilter::Other;
}

bool isSkipped(std::uint32_t skipped, std::size_t filter)
{
    return filter < 32 && (skipped >> filter & 1U) != 0;
}

/// As it stands in the file, and as a release of 1.6 wrote it on some machines: with the bytes of
/// each half swapped. The library takes both.
bool isFletcherOf(std::uint32_t sum, std::span<const std::byte> stored)
{
    std::uint32_t told = 0;
    for (std::size_t byte = fletcherBytes; byte-- > 0;)
        told = told << 8U | std::to_integer<std::uint32_t>(stored[byte]);
    const std::uint32_t swapped = (sum & 0x00ff00ffU) << 8U | (sum >> 8U & 0x00ff00ffU);
    return told == sum || told == swapped;
}

std::string lengthFault(std::string_view packing, std::size_t bytes, std::size_t wanted)
{
    return fmt::format("its {} bytes decode to {} bytes, a chunk has {}", packing, bytes, wanted);
}

}  // namespace

std::uint32_t fletcher32(std::span<const std::byte> bytes)
{
    constexpr std::size_t most = 360;  // words whose sums fit 32 bits
    const auto folded = [](std::uint32_t sum) { return (sum & 0xffffU) + (sum >> 16U); };
    const auto word = [&](std::size_t at) {
        return std::to_integer<std::uint32_t>(bytes[at]) << 8U |
               std::to_integer<std::uint32_t>(bytes[at + 1]);
    };
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    const std::size_t words = bytes.size() / 2;
    for (std::size_t done = 0; done < words;) {
        const std::size_t end = std::min(done + most, words);
        for (; done < end; ++done) {
            first += word(2 * done);
            second += first;
        }
        first = folded(first);
        second = folded(second);
    }
    if (bytes.size() % 2 != 0) {
        first += std::to_integer<std::uint32_t>(bytes.back()) << 8U;
        second += first;
        first = folded(first);
        second = folded(second);
    }
    return folded(second) << 16U | folded(first);
}

void ChunkDecoder::Free::operator()(libdeflate_decompressor* decompressor) const
{
    libdeflate_free_decompressor(decompressor);
}

ChunkDecoder::ChunkDecoder(ChunkCode code) : m_code(std::move(code))
{
    if (std::ranges::count(m_code.filters, ChunkFilter::Deflate) == 0)
        return;
    m_decompressor.reset(libdeflate_alloc_decompressor());
    if (!m_decompressor)
        throw std::bad_alloc();
}

std::string ChunkDecoder::maskFault(std::uint32_t skipped) const
{
    const std::size_t count = m_code.filters.size();
    if (skipped == UINT32_MAX)  // how h5py and others say that none was applied
        return {};
    if (count < 32 && skipped >> count != 0)
        return fmt::format("its filter mask {:#x} names more filters than the {} that it has",
                           skipped, count);
    // A shuffle never fails: it is left out only by a writer that left out all packing, too.
    bool leavesShuffle = false;
    bool keepsPacking = false;
    for (std::size_t filter = 0; filter < count; ++filter) {
        leavesShuffle = leavesShuffle || (m_code.filters[filter] == ChunkFilter::Shuffle &&
                                          isSkipped(skipped, filter));
        keepsPacking = keepsPacking ||
                       (isPackingFilter(m_code.filters[filter]) && !isSkipped(skipped, filter));
    }
    const bool packs = std::ranges::any_of(m_code.filters, isPackingFilter);
    return leavesShuffle && (keepsPacking || !packs)
               ? fmt::format("its filter mask {:#x} leaves out shuffle alone", skipped)
               : std::string();
}

bool ChunkDecoder::changesLengthBefore(std::size_t filter, std::uint32_t skipped) const
{
    for (std::size_t before = 0; before < filter; ++before)
        if (m_code.filters[before] != ChunkFilter::Shuffle && !isSkipped(skipped, before))
            return true;
    return false;
}

std::string ChunkDecoder::unpack(ChunkFilter filter, std::size_t mostBytes, bool isExact,
                                 std::span<const std::byte>& bytes, std::span<std::byte> room)
{
    std::size_t unpacked = 0;
    const std::string_view name = filter == ChunkFilter::Lzf ? "LZF" : "gzip";
    if (filter == ChunkFilter::Lzf) {
        const LzfResult result = decodeLzf(bytes, room);
        if (!result.fault.empty())
            return std::string(result.fault);
        unpacked = result.bytes;
    } else {
        // Checks Adler-32.
        const libdeflate_result result = libdeflate_zlib_decompress(
            m_decompressor.get(), bytes.data(), bytes.size(), room.data(), room.size(), &unpacked);
        if (result == LIBDEFLATE_INSUFFICIENT_SPACE)
            return fmt::format("its gzip bytes decode to more than {} bytes", mostBytes);
        if (result != LIBDEFLATE_SUCCESS)
            return "its gzip bytes are damaged, or do not fit their checksum";
    }
    if (isExact && unpacked != mostBytes)
        return lengthFault(name, unpacked, mostBytes);
    bytes = room.first(unpacked);
    return {};
}

/// `bytes` are in m_now, or as they were stored; afterwards in the room or in m_now.
std::string ChunkDecoder::undo(std::size_t filter, std::uint32_t skipped,
                               std::span<const std::byte>& bytes, std::span<std::byte> room)
{
    const ChunkFilter kind = m_code.filters[filter];
    if (kind == ChunkFilter::Fletcher32) {
        if (bytes.size() < fletcherBytes)
            return "it is shorter than its checksum";
        const auto sum = bytes.last(fletcherBytes);
        bytes = bytes.first(bytes.size() - fletcherBytes);
        return isFletcherOf(fletcher32(bytes), sum)
                   ? std::string()
                   : "its values do not fit their fletcher32 checksum";
    }
    const bool isExact = !changesLengthBefore(filter, skipped);
    const bool isLast = [&] {
        for (std::size_t before = 0; before < filter; ++before)
            if (!isSkipped(skipped, before))
                return false;
        return true;
    }();
    // What a filter makes of bytes that it can't pack is a little longer than they were.
    const std::size_t mostBytes =
        isExact ? m_code.chunkBytes : m_code.chunkBytes + m_code.chunkBytes / 16 + 4096;
    if (kind == ChunkFilter::Other) {
        std::string fault = m_code.undoOther ? m_code.undoOther(filter, bytes, mostBytes, m_next)
                                             : "it passed an unknown filter";
        if (!fault.empty())
            return fault;
        if (isExact && m_next.size() != mostBytes)
            return lengthFault("packed", m_next.size(), mostBytes);
        std::swap(m_now, m_next);
        bytes = m_now;
        return {};
    }
    const std::size_t roomBytes = kind == ChunkFilter::Shuffle ? bytes.size() : mostBytes;
    const bool goesToRoom = isLast && roomBytes == room.size();
    if (!goesToRoom)
        m_next.resize(roomBytes);
    const std::span<std::byte> target = goesToRoom ? room : std::span(m_next);
    std::string fault;
    if (kind == ChunkFilter::Shuffle) {
        kernels::unshuffle(bytes, m_code.elementBytes, target);
        bytes = target;
    } else {
        fault = unpack(kind, mostBytes, isExact, bytes, target);
    }
    if (!goesToRoom)
        std::swap(m_now, m_next);  // the spans stay with their bytes
    return fault;
}

std::string ChunkDecoder::decode(std::span<const std::byte> stored, std::uint32_t skipped,
                                 std::span<std::byte> room)
{
    if (std::string fault = maskFault(skipped); !fault.empty())
        return fault;
    std::span<const std::byte> bytes = stored;
    for (std::size_t filter = m_code.filters.size(); filter-- > 0;) {
        if (isSkipped(skipped, filter))
            continue;
        if (std::string fault = undo(filter, skipped, bytes, room); !fault.empty())
            return fault;
    }
    if (bytes.size() != room.size())
        return fmt::format("it has {} bytes, its shape needs {}", bytes.size(), room.size());
    if (bytes.data() != room.data())
        std::ranges::copy(bytes, room.begin());
    return {};
}

}  // namespace calibscope::hdf5
