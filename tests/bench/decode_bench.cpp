// SPDX-License-Identifier: GPL-3.0-or-later
// How fast stored elements become float32, as a share of copying as many float32. One line a type:
// medians of interleaved rounds, in one thread.
#include "core/dump/element_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

using namespace calibscope;

namespace {

constexpr std::size_t blockValues = std::size_t{1} << 18;  // as a dump is read
constexpr int rounds = 31;

double secondsOf(auto work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> times)
{
    std::ranges::nth_element(times, times.begin() + rounds / 2);
    return times[rounds / 2];
}

}  // namespace

int main()
{
    std::vector<std::byte> stored(8 * blockValues);
    for (std::size_t place = 0; place < stored.size(); ++place)
        stored[place] = static_cast<std::byte>(place * 167 >> 3);
    std::vector<float> copy(blockValues);
    for (const ElementType::Kind kind : elementKinds())
        for (const bool isBigEndian : {false, true}) {
            const ElementType type{.kind = kind, .isBigEndian = isBigEndian};
            ElementDecoder decoder(type);
            const auto elements = std::span(stored).first(blockValues * type.bytes());
            std::vector<double> decoding;
            std::vector<double> copying;
            float sum = 0.0F;
            for (int round = 0; round < rounds; ++round) {
                decoding.push_back(secondsOf([&] { sum += decoder.decode(elements).back(); }));
                copying.push_back(secondsOf([&] {
                    std::memcpy(copy.data(), stored.data(), blockValues * sizeof(float));
                    sum += copy[static_cast<std::size_t>(round)];
                }));
            }
            fmt::print("{:20}{:4}{:8.0f} M values/s{:8.2f} of a copy{}\n", type.text(),
                       isBigEndian ? "be" : "le", blockValues / median(decoding) / 1e6,
                       median(copying) / median(decoding), sum == 1.0F ? " " : "");
        }
}
