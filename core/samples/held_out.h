// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/quant/quantizer.h"
#include "core/recipes/sample_study.h"
#include "core/samples/unit_facts.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <span>
#include <vector>

namespace calibscope::samples {

/// Neighbouring units.
struct UnitPart
{
    std::size_t first = 0;
    std::size_t count = 0;
};

/// The units in so many parts (fewer where there are fewer units), in recorded order: part i begins
/// at unit floor(i units / parts).
[[nodiscard]] std::vector<UnitPart> heldOutParts(std::size_t units, std::size_t parts);

/// The scales of one choice.
struct HeldOutScales
{
    std::vector<double> thresholds;     ///< by part, found without it
    std::vector<Quantizer> quantizers;  ///< likewise
    Quantizer seen;                     ///< found on all units
};

/// The errors of each part under the scales that have not seen it, exactly, by one pass over the
/// source.
[[nodiscard]] std::vector<HeldOut> heldOutErrors(std::span<const UnitPart> parts,
                                                 std::span<const HeldOutScales> scales,
                                                 const ValueSource& source, const UnitFacts& facts,
                                                 const Progress& progress);

}  // namespace calibscope::samples
