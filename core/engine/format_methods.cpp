// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/format_methods.h"

#include "core/base/error.h"
#include "core/collect/encode_tensor.h"
#include "core/collect/map_format.h"
#include "core/dump/batch_first.h"
#include "core/engine/slice_methods.h"
#include "core/formats/rate_points.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

namespace calibscope::engine {

namespace {

constexpr std::size_t mostValues = 4096;

/// Noise of each block, as the values of a tensor are visited.
class BlockNoise
{
public:
    void add(const BlockPart& part)
    {
        if (part.block >= m_noise.size())
            m_noise.resize(part.block + 1);
        FormatErrors errors;
        errors.add(part.values, part.decoded, {});
        m_noise[part.block] += errors.sums.squaredRounding + errors.sums.squaredClipping;
    }
    /// The first one of the most.
    [[nodiscard]] std::uint64_t most() const
    {
        return static_cast<std::uint64_t>(std::ranges::max_element(m_noise) - m_noise.begin());
    }

private:
    std::vector<double> m_noise;  ///< by block
};

void addPart(const TensorInfo& tensor, const BlockFormat& format, const BlockPart& part,
             protocol::EncodedBlock& block)
{
    block.scale = part.scale;
    block.errors.add(part.values, part.decoded, blockEnds(format, part.scale));
    for (std::size_t i = 0; i < part.values.size(); ++i) {
        const float value = part.values[i];
        if (block.values.size() < mostValues) {
            block.indices.push_back(indexInFile(tensor, part.first + i * part.stride));
            block.values.push_back(static_cast<double>(value));
            block.decoded.push_back(static_cast<double>(part.decoded[i]));
            block.patterns.push_back(part.patterns[i]);
        }
        if (std::isfinite(value))
            block.largest = std::max(block.largest, std::abs(static_cast<double>(value)));
    }
}

}  // namespace

protocol::Rated ratedIn(EngineMemory& memory, const protocol::RateRequest& request,
                        const Progress& progress)
{
    const AskedTensor tensor = tensorIn(memory, request.tensor, progress);
    const ValueSource source = tensor.dump->source(tensor.info, 0);
    const MatrixShape matrix = visitedMatrix(tensor.info, source.info);
    protocol::Rated rated{.rowLength = matrix.length, .points = {}};
    std::vector<BlockFormat> formats;
    for (RatePoint& point : ratePoints(request.family))
        if (isOwnPoint(point, matrix))
            formats.push_back(std::move(point.format));
    const std::vector<FormatErrors> errors = encodeTensors(source, formats, matrix, progress);
    for (std::size_t i = 0; i < formats.size(); ++i)
        rated.points.push_back({formats[i].id, errors[i]});
    return rated;
}

FormatMap mapOf(EngineMemory& memory, const protocol::FormatMapRequest& request,
                const Progress& progress)
{
    const AskedTensor tensor = tensorIn(memory, request.tensor, progress);
    const ValueSource source = tensor.dump->source(tensor.info, 0);
    return mapFormat(source, parseBlockFormat(request.format),
                     visitedMatrix(tensor.info, source.info), {request.rows, request.columns},
                     progress);
}

protocol::EncodedBlock blockOf(EngineMemory& memory, const protocol::BlockRequest& request,
                               const Progress& progress)
{
    const AskedTensor tensor = tensorIn(memory, request.tensor, progress);
    const ValueSource source = tensor.dump->source(tensor.info, 0);
    const BlockFormat format = parseBlockFormat(request.format);
    const MatrixShape matrix = visitedMatrix(tensor.info, source.info);
    std::optional<std::uint64_t> wanted = request.block;
    if (!wanted) {
        BlockNoise noise;
        (void)encodeTensor(source, format, matrix, progress,
                           [&](const BlockPart& part) { noise.add(part); });
        wanted = noise.most();
    }
    protocol::EncodedBlock found{.block = *wanted};
    const FormatErrors errors =
        encodeTensor(source, format, matrix, progress, [&](const BlockPart& part) {
            if (part.block == *wanted)
                addPart(tensor.info, format, part, found);
        });
    found.blocks = format.granularity.blocks(matrix, source.info.channelCount());
    if (found.values.empty() && *wanted < found.blocks && source.info.mask)
        throw Error(Fault::Usage, "{}: no position of block {} counts", tensor.info.path, *wanted);
    if (found.values.empty())
        throw Error(Fault::Usage, "{}: there is no block {} under {}, which has {}",
                    tensor.info.path, *wanted, format.id, found.blocks);
    found.errors.tensorScale = errors.tensorScale;
    return found;
}

}  // namespace calibscope::engine
