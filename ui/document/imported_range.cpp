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

}  // namespace

Choice importedChoice(const ImportedRange& imported)
{
    const Range range = manualClip(imported.range);
    GivenSettings given;
    if (imported.isSymmetric) {
        given["threshold"] = numberText(widerEnd(range));
    } else {
        given["low"] = numberText(range.low);
        given["high"] = numberText(range.high);
    }
    Choice choice = makeChoice(
        "fixed", given, imported.isSymmetric ? SchemeKind::SymmetricRestricted : SchemeKind::Affine,
        Granularity::Tensor);
    choice.note = "imported from " + imported.source;
    for (const std::string& finding : imported.findings)
        choice.note += "; " + finding;
    return choice;
}

}  // namespace calibscope
