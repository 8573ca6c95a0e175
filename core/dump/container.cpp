// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/container.h"

#include "core/base/error.h"
#include "core/stats/extents.h"

#include <fmt/format.h>

#include <algorithm>

#include "container_formats.decl.inc"

namespace calibscope {

const std::vector<ContainerFormat>& containerFormats()
{
    static const std::vector<ContainerFormat> formats{
#include "container_formats.calls.inc"
    };
    return formats;
}

const ContainerFormat* containerFormat(std::string_view firstBytes, const std::string& path)
{
    const auto found = std::ranges::find_if(containerFormats(), [&](const ContainerFormat& format) {
        return format.recognise(firstBytes, path);
    });
    return found == containerFormats().end() ? nullptr : &*found;
}

TensorInfo cutToBatches(TensorInfo understood, std::uint64_t firstBatches,
                        std::uint64_t memoryBytes, const std::string& file)
{
    if (firstBatches > 0 && firstBatches < understood.batchCount())
        understood.shape.at(static_cast<std::size_t>(understood.batchAxis.value_or(0))) =
            firstBatches * understood.batchSize;
    const std::uint64_t most = memoryBytes / sizeof(Extents);
    const std::uint64_t batches = understood.batchCount();
    const std::uint64_t channels = understood.channelCount();
    if (understood.isReadable() && (batches > most || channels > most - batches))
        throw Error(Fault::Input,
                    fmt::format("{}:{}: it has {} batches and {} channels, more than the {} that "
                                "fit the memory budget of {} bytes; give another --batch-size or "
                                "--channel-axis",
                                file, understood.path, batches, channels, most, memoryBytes));
    return understood;
}

}  // namespace calibscope
