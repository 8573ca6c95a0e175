// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/lzf_filter.h"

#include "core/dump/hdf5/lzf.h"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace calibscope::hdf5 {

namespace {

struct FreeMemory
{
    void operator()(void* memory) const { H5free_memory(memory); }
};
using Memory = std::unique_ptr<void, FreeMemory>;

/// A filter's failure: the library's error stack then begins with this text.
std::size_t failure(const std::string& text)
{
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_PLINE, H5E_READERROR, "%s",
             text.c_str());
    return 0;
}

std::size_t unpackChunk(unsigned flags, std::size_t parameterCount, const unsigned* parameters,
                        std::size_t packedBytes, std::size_t* bufferBytes, void** buffer)
{
    if ((flags & H5Z_FLAG_REVERSE) == 0)
        return failure("LZF is only read");
    const std::size_t chunkBytes =
        parameterCount > lzfChunkBytesAt ? parameters[lzfChunkBytesAt] : 0;
    if (chunkBytes == 0)
        return failure("its LZF parameters lack the size of a chunk");
    // Cleared, and never shorter than a chunk: the library copies a whole one from it.
    Memory room(H5allocate_memory(chunkBytes, true));
    if (!room)
        return failure("there is no memory for a chunk of " + std::to_string(chunkBytes) +
                       " bytes");
    const LzfResult result =
        decodeLzf({static_cast<const std::byte*>(*buffer), std::min(packedBytes, *bufferBytes)},
                  {static_cast<std::byte*>(room.get()), chunkBytes});
    if (!result.fault.empty())
        return failure(std::string(result.fault));
    if (result.bytes != chunkBytes)
        return failure("its LZF bytes decode to " + std::to_string(result.bytes) +
                       " bytes, a chunk has " + std::to_string(chunkBytes));
    H5free_memory(std::exchange(*buffer, room.release()));
    *bufferBytes = chunkBytes;
    return result.bytes;
}

/// Nothing is thrown through the library, which is written in C.
std::size_t unpack(unsigned flags, std::size_t parameterCount, const unsigned* parameters,
                   std::size_t packedBytes, std::size_t* bufferBytes, void** buffer)
{
    try {
        return unpackChunk(flags, parameterCount, parameters, packedBytes, bufferBytes, buffer);
    } catch (const std::exception&) {
        return 0;
    }
}

}  // namespace

void registerLzf()
{
    static const H5Z_class2_t lzf{.version = H5Z_CLASS_T_VERS,
                                  .id = lzfFilter,
                                  .encoder_present = 0,
                                  .decoder_present = 1,
                                  .name = "lzf",
                                  .can_apply = nullptr,
                                  .set_local = nullptr,
                                  .filter = unpack};
    H5Zregister(&lzf);
}

}  // namespace calibscope::hdf5
