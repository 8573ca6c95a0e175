// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/profile_needs.h"

#include "core/base/error.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"
#include "core/recipes/scale_rows.h"
#include "core/report/tables/stats_table.h"
#include "core/stats/growth_rule.h"
#include "core/stats/percentile.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace calibscope::cli {

namespace {

/// GROWTH[:bins=N][:domain=signed]
HistogramSpec parsedSpec(const std::string& text)
{
    constexpr int mostBins = 1 << 18;
    std::string_view rest = text;
    const auto next = [&rest] {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string_view part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        return part;
    };
    const GrowthRule& rule = growthRule(next());
    HistogramSpec spec{.growth = std::string(rule.id), .bins = rule.bins, .domain = rule.domain};
    while (!rest.empty()) {
        const std::string_view part = next();
        const std::string_view number = part.starts_with("bins=") ? part.substr(5) : "";
        if (part == "domain=signed" || part == "domain=magnitude") {
            spec.domain = part.ends_with("signed") ? Domain::Signed : Domain::Magnitude;
            continue;
        }
        const auto [end, error] =
            std::from_chars(number.data(), number.data() + number.size(), spec.bins);
        if (number.empty() || error != std::errc() || end != number.data() + number.size() ||
            spec.bins < 1 || spec.bins > mostBins)
            throw Error(Fault::Usage,
                        "--histogram {}: {} is neither bins=N, from 1 to {}, nor domain=signed or "
                        "domain=magnitude",
                        text, part, mostBins);
    }
    static_cast<void>(emptyHistogram(spec));
    return spec;
}

template <typename List>
void addNew(List& all, const List& more)
{
    for (const auto& one : more)
        if (std::ranges::find(all, one) == all.end())
            all.push_back(one);
}

void addNew(std::vector<Choice>& choices, Choice choice)
{
    if (std::ranges::none_of(choices,
                             [&](const Choice& other) { return other.isSameComputation(choice); }))
        choices.push_back(std::move(choice));
}

/// The calibrators and presets as they come, under both kinds of schemes.
std::vector<Choice> defaultChoices()
{
    std::vector<Choice> choices;
    const auto add = [&choices](const auto& make) {
        for (const SchemeKind scheme : {SchemeKind::SymmetricRestricted, SchemeKind::Affine})
            try {
                addNew(choices, make(scheme));
            } catch (const Error&) {
                // it has no such scheme
            }
    };
    for (const Calibrator& calibrator : calibrators())
        add([&](SchemeKind scheme) {
            return makeChoice(calibrator.id, {}, scheme, Granularity::Tensor);
        });
    for (const Preset& preset : presets())
        add([&](SchemeKind scheme) { return makeChoice(preset, {}, scheme, Granularity::Tensor); });
    return choices;
}

std::vector<TensorInfo> infosOf(std::span<const spread::JoinedTensor> tensors)
{
    std::vector<TensorInfo> infos;
    for (const spread::JoinedTensor& tensor : tensors)
        infos.push_back(tensor.info);
    return infos;
}

}  // namespace

WantedNeeds::WantedNeeds(std::span<const std::string> histograms, std::vector<double> percentiles,
                         std::span<const spread::JoinedTensor> tensors)
    : m_percentiles(std::move(percentiles)),
      m_consumers(infosOf(tensors)),
      m_defaults(defaultChoices())
{
    for (const std::string& text : histograms)
        m_histograms.push_back(parsedSpec(text));
    m_published.resolve();
    for (const spread::JoinedTensor& tensor : tensors)
        for (const Choice& choice : m_published.choicesFor(tensor.info, m_consumers))
            for (const RangeSource& source : choice.rangeFrom)
                addNew(m_taken[source.path], Choice{.recipe = {},
                                                    .preset = {},
                                                    .calibrator = source.calibrator,
                                                    .settings = source.settings,
                                                    .scheme = source.scheme,
                                                    .note = {}});
}

CalibratorNeeds WantedNeeds::of(const TensorInfo& tensor, const Extents& extents) const
{
    CalibratorNeeds needs{.histograms = m_histograms, .orders = {}};
    for (const double alpha : m_percentiles)
        for (const Domain domain : {Domain::Magnitude, Domain::Signed})
            addNew(needs.orders, percentileOrders(domain, extents.finite, alpha));
    if (m_percentiles.empty())
        addNew(needs.orders, statsOrders(extents.finite));
    const auto add = [&](const Choice& choice) {
        const CalibratorNeeds own = needsOf(choice, extents);
        if (m_histograms.empty())
            addNew(needs.histograms, own.histograms);
        if (m_percentiles.empty())
            addNew(needs.orders, own.orders);
    };
    for (const Choice& choice : m_published.choicesFor(tensor, m_consumers))
        if (choice.granularity == Granularity::Tensor)
            add(choice);
    std::ranges::for_each(m_defaults, add);
    if (const auto taken = m_taken.find(tensor.path); taken != m_taken.end())
        std::ranges::for_each(taken->second, add);
    return needs;
}

}  // namespace calibscope::cli
