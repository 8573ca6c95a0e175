#pragma once

#include "ui/document/comparison.h"

#include <QString>

namespace calibscope {

/// What is looked at, in a line.
struct PairTitle
{
    QString name;
    QString facts;
};
[[nodiscard]] PairTitle pairTitle(const Comparison& comparison);

/// How far a tensor has drifted, in numbers and units; blank without both recordings.
/// `recipeLabel`: whose scale of A is the step.
[[nodiscard]] QString driftSentence(const PairReader::Found& found, const std::string& recipeLabel);

}  // namespace calibscope
