// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/decisions.h"

#include <QStringList>

#include <cstddef>
#include <vector>

namespace calibscope {

constexpr double usualLeastGainDb = 3.0;
constexpr double mostLeastGainDb = 60.0;

/// A tensor with the calibrator that gains most on it.
struct Gain
{
    int tensor = -1;
    std::string candidate;    ///< its id
    double fromDb = 0.0;      ///< SQNR of what was accepted, else of the recipe's choice
    double gainDb = 0.0;      ///< above that, at least leastGainDb
    bool isReplaced = false;  ///< another one was accepted
};

/// The best calibrator of each of several tensors.
struct BestGains
{
    std::vector<Gain> gains;  ///< of those where one gains leastGainDb, in the order asked for
    std::size_t asked = 0;    ///< tensors for which anything can be accepted
    std::size_t unknown = 0;  ///< of these not swept

    /// Those that gain so much.
    [[nodiscard]] std::vector<Gain> of(double leastDb) const;
    /// "12 of 30 tensors gain at least 3.0 dB: 4.1 dB on average.", "The lowest SQNR of these rises
    /// from 27.2 to 31.8 dB.", and the number of decisions that would be replaced.
    [[nodiscard]] QStringList sentences(double leastDb) const;
};

/// By the SQNR of the tensors themselves, as far as all calibrators were computed on them (see
/// bestOn()). Asks for nothing.
[[nodiscard]] BestGains bestGains(const Document& document, const std::vector<int>& tensors);
/// Accepts the best of each, as one step.
Accepted acceptGains(Document& document, const std::vector<Gain>& gains, double leastDb);

}  // namespace calibscope
