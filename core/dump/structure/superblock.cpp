// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/structure/superblock.h"

#include <algorithm>

namespace calibscope::structure {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view formatSignature = "\x89HDF\r\n\x1a\n"sv;
constexpr std::size_t mostSuperblockBytes = 256;

bool isWidth(std::size_t width)
{
    return width == 2 || width == 4 || width == 8;
}

/// Sets the file's space as the library does: where the superblock lies counts, not what it says of
/// that, since a user block may have been put before it or taken away.
void setSpace(StoredBytes& file, const StoredReader& at, std::uint64_t place, std::uint64_t base,
              std::uint64_t end)
{
    at.require(end != undefinedAddress && end >= base, "the file's end is missing");
    file.setSpace(place, end - base, at.widths());
}

SuperblockFacts readEarliest(StoredBytes& file, StoredReader at, std::uint64_t place,
                             unsigned version)
{
    SuperblockFacts superblock;
    at.version(0);  // of the free space
    at.version(0);  // of the root group's entry
    at.skip(1);
    at.version(0);  // of shared messages
    const Widths widths{.address = at.u8(), .length = at.u8()};
    at.require(isWidth(widths.address) && isWidth(widths.length), "its widths are invalid");
    at.skip(1);
    superblock.leafK = at.u16();
    superblock.groupK = at.u16();
    at.skip(4);
    if (version == 1) {
        superblock.chunkK = at.u16();
        at.skip(2);
    }
    StoredReader rest(at.bytes(at.left()), at.place(), widths);
    const std::uint64_t base = rest.address();
    rest.skip(widths.address);
    const std::uint64_t end = rest.address();
    const std::uint64_t driver = rest.address();
    rest.require(driver == undefinedAddress, "it needs a driver, as files in parts do");
    rest.skip(widths.length);  // the root group's name
    superblock.root = rest.address();
    rest.require(superblock.leafK > 0 && superblock.groupK > 0 && superblock.chunkK > 0,
                 "its nodes have no entries");
    setSpace(file, rest, place, base, end);
    return superblock;
}

SuperblockFacts readLatest(StoredBytes& file, StoredReader at, std::uint64_t place,
                           unsigned version)
{
    SuperblockFacts superblock;
    const Widths widths{.address = at.u8(), .length = at.u8()};
    at.require(isWidth(widths.address) && isWidth(widths.length), "its widths are invalid");
    constexpr unsigned openForSwmr = 4;
    const unsigned flags = at.u8();
    superblock.isLeftOpen = version == 3 && flags != 0;
    superblock.isSwmr = version == 3 && (flags & openForSwmr) != 0;
    StoredReader rest(at.bytes(at.left()), at.place(), widths);
    const std::uint64_t base = rest.address();
    superblock.extension = rest.address();
    const std::uint64_t end = rest.address();
    superblock.root = rest.address();
    setSpace(file, rest, place, base, end);
    file.look(0, 16 + 4 * widths.address).requireChecksum(16 + 4 * widths.address);
    return superblock;
}

}  // namespace

SuperblockFacts readSuperblock(StoredBytes& file, std::uint64_t place)
{
    const StoredBlock block =
        file.look(place, std::min<std::uint64_t>(mostSuperblockBytes, file.end() - place));
    StoredReader at = block.reader();
    at.require(at.left() > formatSignature.size() &&
                   at.bytes(formatSignature.size()) == formatSignature,
               "there is no HDF5 signature");
    const unsigned version = at.version(0, 3, "its superblock");
    return version < 2 ? readEarliest(file, at, place, version)
                       : readLatest(file, at, place, version);
}

}  // namespace calibscope::structure
