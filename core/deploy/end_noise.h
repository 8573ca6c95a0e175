// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/results/end_results.h"

#include <cstddef>
#include <string>
#include <vector>

/// From a table of the end to the end of any model without running it. Noise powers of operands
/// quantized alone add up; their errors do not, since in the whole model every rounding is drawn
/// anew.
namespace calibscope::deploy {

/// The end of a mix: 10 log10(sum of the signal / sum of its operands' powers), infinite without
/// noise. A choice that is not measured has the power of one that is, times the square of the scales'
/// ratio, if its levels and zero points are the same and all its scales within 5 %, or if it has
/// the same range in 256 times as many levels. Otherwise, where adjoints of both are known, it has
/// that of a measured one times the ratio of their adjoints. Else it is not in the sum, and counted.
///
/// With P_i the powers and r_ij the products of the errors' directions, the noise of errors with
/// signs drawn at random is spread by
///
///     h = 1.96 (10 / ln 10) sqrt(2 sum over i != j of (r_ij^2 - 1 / directionParts) P_i P_j) / sum P
///
/// dB around it, and halfWidthDb is max(1.5 h, 1.5).
[[nodiscard]] EndPrediction predictedEnd(const EndTable& table, const EndMix& mix);

/// Whether predictedEnd() has the power of that choice.
[[nodiscard]] bool isKnownWithoutRun(const EndOperand& operand, std::size_t choice);
/// The measured choice whose power a prediction by adjoints begins with: one that has an adjoint
/// before others, then one of as many bits; null without any.
[[nodiscard]] const EndChoice* adjointReference(const EndOperand& operand, const EndChoice& wanted);

/// Choices instead of those of the mix, one for each operand that has a measured one with an id, as
/// many bits and less power: the one with the least. Those that save most noise come first. An operand
/// whose own choice is not measured stays.
[[nodiscard]] std::vector<EndChange> bestChanges(const EndTable& table, const EndMix& mix);

/// Cost of a layer.
struct BudgetCost
{
    bool isOfWeights = false;  ///< values of its weight; else its multiplications
    double int16 = 2.0;        ///< times that in int8, with its input in 16 bits
    double inFloat = 4.0;
};

/// Adds to each activation of the mix its choice in 16 bits: the same range, 256 times as many
/// levels.
void addInt16Choices(EndTable& table, const EndMix& mix);
/// The mix with its layers as the point has them. Requires addInt16Choices().
[[nodiscard]] EndMix mixAt(const EndTable& table, const EndMix& mix, const BudgetPoint& point);

/// From all layers of the mix in int8 to all in float: points that no cheaper one reaches. Layers
/// that share an operand change together; those with one that is not measured stay. The next
/// change is the one that saves most noise for its cost, or, in a second order, most noise; the
/// points are the upper envelope of both, each 0.1 dB or more above the one before. Requires addInt16Choices().
[[nodiscard]] std::vector<BudgetPoint> budgetCurve(const EndTable& table, const EndMix& mix,
                                                   const BudgetCost& cost);

}  // namespace calibscope::deploy
