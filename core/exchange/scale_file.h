// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/quant/number_format.h"
#include "core/tensor/tensor_info.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Files in which other tools keep scales: what is in them, whatever their format.
namespace calibscope::exchange {

/// A file's numbers for a tensor, or for one of its channels. Numbers are kept as they stand
/// there, odd ones too: NaN, infinite, negative, ends that are exchanged.
struct EntryValue
{
    Range range;  ///< values outside of it are clipped; of a symmetric format [-threshold,
                  ///< threshold]
    std::optional<double> threshold;  ///< of a symmetric one
    /// Where the format or a decision states it; else it follows from the threshold.
    std::optional<double> scale;
    /// Integer that stands for 0; of a tool that counts from 0 shifted by 2^(bits-1). Nothing: the
    /// format has none.
    std::optional<double> zeroPoint;
};

/// A file's entry for one name.
struct ScaleEntry
{
    std::string name;                 ///< as it stands there
    Role role = Role::Unknown;        ///< as far as the format tells it
    bool isPerChannel = false;        ///< one value for each channel, else one value or none
    std::optional<int> axis = {};     ///< of the channels, where it is known
    std::vector<EntryValue> values;   ///< none where the file has none that could be read
    NumberFormat format = {};         ///< integers
    std::optional<bool> isSymmetric;  ///< where the format tells it
    bool isFloat = false;             ///< is kept as it is: without values
    std::string layout;          ///< of values that are neither for the tensor nor for its channels
    std::vector<double> counts;  ///< of a histogram over the range
    std::uint64_t line = 0;      ///< counted from 1; 0: not known, or the format has no lines
    std::vector<std::string> oddities;  ///< what is strange about it where it stands, as sentences
};

/// The contents of a file of scales.
struct ScaleFile
{
    std::string format;                        ///< id of its format
    std::map<std::string, std::string> facts;  ///< of its head, by the names of the format's own
                                               ///< parameters: "version", "algorithm"
    std::vector<ScaleEntry> entries;           ///< in the order of the file
    std::vector<std::string> oddities;         ///< of the file, as sentences
};

/// [-threshold, threshold], with the threshold.
[[nodiscard]] EntryValue symmetricValue(double threshold);

/// The larger magnitude of both ends, or the threshold; NaN where one is NaN.
[[nodiscard]] double widestEnd(const EntryValue& value);

/// The scale that it states, or that its threshold (else its range) gives over the levels. NaN
/// where these are.
[[nodiscard]] double scaleOf(const ScaleEntry& entry, const EntryValue& value);

}  // namespace calibscope::exchange
