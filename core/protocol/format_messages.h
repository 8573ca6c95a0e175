// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_code.h"
#include "core/formats/format_errors.h"
#include "core/formats/format_map.h"
#include "core/tensor/tensor_ref.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Requests about a tensor under number formats. They are of the whole tensor, whatever part its
/// reference names.
namespace calibscope::protocol {

/// A line of a rate curve.
struct RateRequest
{
    TensorRef tensor;
    std::string family;  ///< as ratePoints() takes it

    bool operator==(const RateRequest&) const = default;
};

struct RatedFormat
{
    std::string format;  ///< as parseBlockFormat() takes it
    FormatErrors errors;
};

struct Rated
{
    std::uint64_t rowLength = 0;
    std::vector<RatedFormat> points;
};

/// One block under a format.
struct BlockRequest
{
    TensorRef tensor;
    std::string format;
    std::optional<std::uint64_t> block = {};  ///< nothing: that with the most squared error

    bool operator==(const BlockRequest&) const = default;
};

struct EncodedBlock
{
    std::uint64_t block = 0;
    std::uint64_t blocks = 0;  ///< of the tensor
    BlockScale scale;
    FormatErrors errors;   ///< of the block, with the scale of its tensor; without effective bits
    double largest = 0.0;  ///< magnitude of its finite values
    /// Of its first values, up to 4096: index in the tensor in the file's order, value, stored bits,
    /// value after a round trip.
    std::vector<std::uint64_t> indices;
    std::vector<double> values;
    std::vector<std::uint64_t> patterns;
    std::vector<double> decoded;
};

/// The blocks of a tensor under a format: the answer is a FormatMap.
struct FormatMapRequest
{
    TensorRef tensor;
    std::string format;
    std::uint64_t rows = 1;  ///< most cells of its maps
    std::uint64_t columns = 1;

    bool operator==(const FormatMapRequest&) const = default;
};

}  // namespace calibscope::protocol
