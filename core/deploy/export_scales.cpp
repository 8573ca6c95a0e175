#include "core/deploy/export_scales.h"

#include "core/base/number_text.h"
#include "core/exchange/entry_lints.h"
#include "core/exchange/from_outcome.h"

#include <algorithm>
#include <cmath>

namespace calibscope::deploy {

namespace {

constexpr double levels = 127.0;    // by which programs divide a threshold
constexpr double tolerance = 1e-6;  // a few units in the last place of float32
constexpr int usualBits = 8;

/// Whether the format has scales, or ranges from which its readers make them.
bool statesScale(const exchange::ExchangeFormat& format)
{
    return format.id.starts_with("aimet");
}

/// Whether the format has inverse scales.
bool isInverse(const exchange::ExchangeFormat& format)
{
    return format.id == "ncnn-table";
}

bool overflows(const exchange::ScaleEntry& entry)
{
    return std::ranges::any_of(entry.values, [](const exchange::EntryValue& value) {
        const double threshold = widestEnd(value);
        return threshold > 0.0 && std::isinf(static_cast<float>(levels / threshold));
    });
}

}  // namespace

bool hasRole(const exchange::ExchangeFormat& format, Role role)
{
    if (role == Role::Weight)
        return format.hasWeights;
    return (role == Role::Activation || role == Role::Unknown) && format.hasActivations;
}

exchange::ScaleEntry exportedEntry(const DecidedTensor& tensor)
{
    return exchange::entryFromOutcome(tensor.outcome, tensor.graphName.empty() ? tensor.info.name
                                                                               : tensor.graphName);
}

std::vector<std::string> exportWarnings(const exchange::ExchangeFormat& format,
                                        const exchange::ScaleEntry& entry)
{
    std::vector<std::string> warnings;
    for (const exchange::ScaleLint& lint : lintsOf(entry))
        if (lint.level == exchange::LintLevel::Error)
            warnings.push_back(lint.text);
    if (statesScale(format))
        return warnings;
    if (isInverse(format) && overflows(entry))
        warnings.emplace_back("a threshold is so small that its inverse overflows float32: the "
                              "file says inf, as it does of a channel of zeros");
    if (!isInverse(format) &&
        std::ranges::find(entry.values, 0.0, &exchange::EntryValue::threshold) !=
            entry.values.end())
        warnings.emplace_back("a threshold is 0, as of nothing but zeros: programs that read the "
                              "file make the scale 0 of it, which not all of them take");
    if (entry.bits != usualBits)
        warnings.push_back("has " + std::to_string(entry.bits) + " bits; the file does not tell");
    const auto other = std::ranges::find_if(entry.values, [&](const exchange::EntryValue& value) {
        return value.threshold && value.scale && *value.threshold > 0.0 &&
               std::fabs(*value.threshold / levels - *value.scale) > tolerance * *value.scale;
    });
    if (other != entry.values.end() && entry.bits == usualBits)
        warnings.push_back("its scale is " + numberText(*other->scale) +
                           "; programs that read the file make " +
                           numberText(*other->threshold / levels) + " of the threshold");
    return warnings;
}

}  // namespace calibscope::deploy
