// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Remedies compared at a network's end, each as a model that was run: plain values.
namespace calibscope {

/// Signal and noise of each judging sample at a network's end.
struct SampleNoise
{
    std::vector<double> signal;  ///< sum of squares of the float model's values
    std::vector<double> noise;   ///< of the quantized one's difference to them
    bool operator==(const SampleNoise&) const = default;
};

/// SQNR in dB over all samples, of the median and of the least one.
struct LadderFigures
{
    double pooledDb = 0.0;
    double medianDb = 0.0;
    double leastDb = 0.0;
    bool operator==(const LadderFigures&) const = default;
};

/// A gain in dB with its 95 % interval.
struct GainInterval
{
    double gainDb = 0.0;
    double lowDb = 0.0;
    double highDb = 0.0;
    bool operator==(const GainInterval&) const = default;
};

struct LadderGain
{
    GainInterval pooled;
    GainInterval median;
    bool operator==(const LadderGain&) const = default;
};

/// A model of the ladder.
struct LadderRung
{
    std::string step;                           ///< "decided", "+ bias", "without channels"
    std::vector<std::string> remedies;          ///< that its model has
    std::optional<LadderFigures> figures = {};  ///< nothing: it was not run
    std::optional<LadderGain> gain = {};        ///< to the last rung that was accepted
    std::uint64_t samples = 0;                  ///< that judge
    double int8Share = 0.0;                     ///< of the layers' multiplications, 0 to 1
    bool isAccepted = false;
    std::string note = {};

    bool operator==(const LadderRung&) const = default;
};

}  // namespace calibscope
