// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/imported_range.h"

#include "core/base/number_text.h"
#include "core/recipes/make_choice.h"
#include "ui/document/manual_range.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

double widerEnd(const Range& range)
{
    return std::max(std::fabs(range.low), std::fabs(range.high));
}

void add(std::string& list, double number)
{
    list += (list.empty() ? "" : " ") + numberText(number);
}

}  // namespace

Choice importedChoice(const ImportedRange& imported)
{
    const bool isPerChannel = imported.channels.size() > 1;  // one channel's range is the tensor's
    GivenSettings given;
    for (const Range& one : isPerChannel ? imported.channels : std::vector{imported.range}) {
        const Range range = manualClip(one);
        if (imported.isSymmetric) {
            add(given["threshold"], widerEnd(range));
        } else {
            add(given["low"], range.low);
            add(given["high"], range.high);
        }
    }
    Choice choice = makeChoice(
        "fixed", given, imported.isSymmetric ? SchemeKind::SymmetricRestricted : SchemeKind::Affine,
        isPerChannel ? Granularity::Channel : Granularity::Tensor);
    choice.note = "imported from " + imported.source;
    for (const std::string& finding : imported.findings)
        choice.note += "; " + finding;
    return choice;
}

}  // namespace calibscope
