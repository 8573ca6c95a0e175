// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/cut_values.h"
#include "tests/support/h5_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace calibscope::test {

/// A recording of ranks that have other samples or other channels, and the same in one file.
///
///   activations/front   24 x 7 x 40, channels behind the samples
///   activations/behind  24 x 40 x 7, float16, channels last
///   activations/norm    24 x 11, which the ranks of the same samples hold alike
///   weights/w           7 x 30, cut along its channels
///   weights/all         5 x 6, the same in all files
class ShardedRecording
{
public:
    static constexpr std::size_t samples = 24;
    static constexpr std::size_t channels = 7;

    /// Where samples and channels begin and end. The values that come before others in the files
    /// of several are the same in each.
    explicit ShardedRecording(const std::vector<std::size_t>& sampleCuts = {0, 16, samples},
                              const std::vector<std::size_t>& channelCuts = {0, 1, 5, channels},
                              std::size_t width = 40)
        : m_width(width)
    {
        record(m_whole, 0, samples, 0, channels, false);
        for (std::size_t range = 1; range < sampleCuts.size(); ++range)
            for (std::size_t shard = 1; shard < channelCuts.size(); ++shard)
                record(m_files.emplace_back(), sampleCuts[range - 1], sampleCuts[range],
                       channelCuts[shard - 1], channelCuts[shard], true);
    }

    /// By samples, then by channels.
    [[nodiscard]] H5File& file(std::size_t index) { return m_files[index]; }
    [[nodiscard]] const H5File& whole() const { return m_whole; }
    [[nodiscard]] std::vector<std::string> paths() const
    {
        std::vector<std::string> paths;
        for (const H5File& file : m_files)
            paths.push_back(file.path());
        return paths;
    }

private:
    static std::vector<float> noise(std::size_t count, unsigned seed)
    {
        std::mt19937 engine(seed);
        std::normal_distribution<float> normal(0.3F, 1.0F);
        std::vector<float> values(count);
        for (std::size_t place = 0; place < count; ++place)
            values[place] = normal(engine) *
                            (1.0F + 3.0F * static_cast<float>(place) / static_cast<float>(count));
        return values;
    }

    void record(H5File& file, std::size_t first, std::size_t end, std::size_t firstChannel,
                std::size_t endChannel, bool isShard) const
    {
        const std::size_t count = end - first;
        const std::size_t own = endChannel - firstChannel;
        const auto describe = [&](const std::string& path, const std::string& layout) {
            file.attribute(path, "layout", layout);
            file.attribute(path, "batch_size", std::int64_t{4});
        };
        const auto tellChannel = [&](const std::string& path) {
            if (isShard)
                file.attribute(path, "first_channel", static_cast<std::int64_t>(firstChannel));
        };
        std::vector<float> front = noise(samples * channels * m_width, 1);
        front[(13 * channels + 5) * m_width + 3] = std::numeric_limits<float>::quiet_NaN();
        front[(13 * channels + 6) * m_width + 1] = std::numeric_limits<float>::quiet_NaN();
        front[(20 * channels + 0) * m_width] = -std::numeric_limits<float>::infinity();
        file.write("/activations/front", {count, own, m_width},
                   cut(cut(front, {samples, channels, m_width}, 0, first, end),
                       {count, channels, m_width}, 1, firstChannel, endChannel));
        describe("/activations/front", "NCW");
        tellChannel("/activations/front");
        const std::vector<float> behind =
            cut(cut(noise(samples * m_width * channels, 2), {samples, m_width, channels}, 0, first,
                    end),
                {count, m_width, channels}, 2, firstChannel, endChannel);
        file.write("/activations/behind", {count, m_width, own},
                   std::vector<double>(behind.begin(), behind.end()), Stored::Float16);
        describe("/activations/behind", "NWC");
        std::vector<double> flags;
        for (std::size_t position = first * m_width; position < end * m_width; ++position)
            flags.push_back(position % 3 == 1 ? 0.0 : 1.0);
        file.write("/activations/behind.mask", {count, m_width}, flags, Stored::Uint8);
        tellChannel("/activations/behind");
        file.write("/activations/norm", {count, 11},
                   cut(noise(samples * 11, 3), {samples, 11}, 0, first, end));
        describe("/activations/norm", "NC");
        file.write("/weights/w", {own, 30},
                   cut(noise(channels * 30, 4), {channels, 30}, 0, firstChannel, endChannel));
        file.attribute("/weights/w", "channel_axis", std::int64_t{0});
        tellChannel("/weights/w");
        file.write("/weights/all", {5, 6}, noise(30, 5));
        file.attribute("/", "format", "calibration-dump");
        file.attribute("/", "first_sample", static_cast<std::int64_t>(first));
    }

    static std::vector<float> cut(const std::vector<float>& values, const Shape& shape,
                                  std::size_t axis, std::size_t first, std::size_t end)
    {
        return cutAlong(values, shape, axis, first, end);
    }

    std::size_t m_width;
    H5File m_whole;
    std::deque<H5File> m_files;
};

}  // namespace calibscope::test
