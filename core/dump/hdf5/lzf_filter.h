#pragma once

#include <hdf5.h>

namespace calibscope::hdf5 {

/// Number under which LZF is registered with The HDF Group.
constexpr H5Z_filter_t lzfFilter = 32000;

/// Where its writer puts the bytes of an unpacked chunk among the filter's parameters.
constexpr unsigned lzfChunkBytesAt = 2;

/// Makes the library read LZF with decodeLzf(), whatever plugins are installed; without it the
/// library needs one. May be called again. Call under the Lock.
void registerLzf();

/// While one lives, chunks that this thread reads may come out of LZF with another length than a
/// chunk has: another filter packed them before. Otherwise such a chunk is an error.
class LzfOfPackedChunks
{
public:
    explicit LzfOfPackedChunks(bool isSo);
    LzfOfPackedChunks(const LzfOfPackedChunks&) = delete;
    LzfOfPackedChunks& operator=(const LzfOfPackedChunks&) = delete;
    ~LzfOfPackedChunks();

private:
    bool m_before;
};

}  // namespace calibscope::hdf5
