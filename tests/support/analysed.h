// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/recipes/make_choice.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace calibscope::test {

inline std::vector<float> gaussian(std::size_t count, unsigned seed)
{
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0.0F, 1.0F);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(engine); });
    return values;
}

inline Choice choiceOf(const char* id, Granularity granularity, const GivenSettings& given = {})
{
    return makeChoice(id, given, SchemeKind::SymmetricRestricted, granularity);
}

inline std::vector<Outcome> run(const TensorInfo& info, const std::vector<float>& values,
                                const std::vector<Choice>& choices,
                                const AnalyseOptions& options = {})
{
    const ValueSource source = sourceOf(info, values);
    TensorProfile profile = collectProfile(source);
    return analyse(source, profile, choices, options);
}

inline const TensorInfo matrix{
    .name = "w", .role = Role::Weight, .shape = {4, 500}, .channelAxis = 0};

/// Four rows, each ten times the one before.
inline std::vector<float> scaledRows()
{
    std::vector<float> values = gaussian(2000, 5);
    for (std::size_t index = 0; index < values.size(); ++index)
        values[index] *= std::pow(10.0F, static_cast<float>(index / 500));
    return values;
}

inline bool hasNote(const ScaleRow& row, const std::string& part)
{
    return std::ranges::any_of(
        row.notes, [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace calibscope::test
