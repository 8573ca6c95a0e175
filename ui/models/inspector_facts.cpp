// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/inspector_facts.h"

#include "core/metrics/metric.h"
#include "ui/document/tensor_text.h"
#include "ui/models/result_columns.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <vector>

namespace calibscope {

namespace {

/// "0" or "63.75 %  (306)".
QString countedShareText(std::uint64_t count, std::uint64_t all)
{
    if (count == 0 || all == 0)
        return countLabel(count);
    const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(all);
    return tr("%1 (%2 %)").arg(countLabel(count), valueLabel(percent, 3));
}

/// As countedShareText(), and where the first one is: "1 (20 %), first at [0, 4]".
QString placedShareText(std::uint64_t count, const TensorProfile& profile,
                        const std::optional<std::uint64_t>& firstIndex)
{
    const QString share = countedShareText(count, profile.extents().values());
    return firstIndex
               ? tr("%1, first at %2")
                     .arg(share, QString::fromStdString(indexText(profile.info.shape, *firstIndex)))
               : share;
}

QString axisText(const std::optional<int>& axis)
{
    return axis ? QString::number(*axis) : tr("none");
}

/// The metrics' own units, but shares as percent.
QString metricText(const Metric& metric, double value)
{
    return metric.id == "clipped_share" ? tr("%1 %").arg(valueLabel(100.0 * value))
                                        : valueLabel(value);
}

QString utf8Text(std::string_view text)
{
    return QString::fromUtf8(text.data(), std::ssize(text));
}

}  // namespace

FactSection resultFacts(const OutcomeRow& row)
{
    FactSection section{.title =
                            tr("Result of %1").arg(QString::fromStdString(row.candidate.label)),
                        .facts = {},
                        .sentences = {}};
    if (!row.hasResult())
        return section;
    const ScaleRow& whole = row.outcome->whole;
    const auto add = [&](const QString& name, const QString& value) {
        section.facts.emplace_back(name, value);
    };
    add(tr("Clip range"), tr("%1 … %2").arg(valueLabel(whole.quantizer.clip.low, 6),
                                            valueLabel(whole.quantizer.clip.high, 6)));
    add(tr("Scale"), valueLabel(whole.quantizer.scale, 9));
    if (whole.quantizer.zeroPoint != 0.0)
        add(tr("Zero point"), valueLabel(whole.quantizer.zeroPoint, 6));
    for (const Metric& metric : metrics())
        if (const std::optional<double> value = whole.metric(metric.id))
            add(utf8Text(metric.title),
                (whole.hasExactMetrics ? QString() : QStringLiteral("≈ ")) +
                    metricText(metric, *value) +
                    (metric.id == "sqnr_db" ? sqnrBarText(whole) : QString()));
    return section;
}

namespace {

QString utf8Sentence(const std::string& text)
{
    return QString::fromStdString(text);
}

QString bandText(const SampleBand& band)
{
    return band.high ? tr("%1 … %2").arg(valueLabel(band.low), valueLabel(*band.high))
                     : tr("%1 or more").arg(valueLabel(band.low));
}

QString convergedText(const SampleStudy& study)
{
    const auto after = [](const std::optional<std::uint64_t>& units) {
        return units ? tr("after %1").arg(countLabel(*units)) : tr("not");
    };
    return tr("%1 (1 %), %2 (5 %) of %3")
        .arg(after(study.convergedWithin1), after(study.convergedWithin5),
             utf8Sentence(unitCountText(study.units, study.unit)));
}

void addOrder(FactSection& section, const OrderSpread& order)
{
    QString text = tr("%1 … %2, %3 %")
                       .arg(valueLabel(order.thresholds.low), valueLabel(order.thresholds.high),
                            valueLabel(100.0 * order.share, 2));
    if (order.sqnrDb)
        text += tr(", %1 … %2 dB")
                    .arg(fixedLabel(order.sqnrDb->low, 2), fixedLabel(order.sqnrDb->high, 2));
    section.facts.emplace_back(tr("threshold in %1 other orders").arg(countLabel(order.orders)),
                               text);
}

void addHeldOut(FactSection& section, const HeldOut& heldOut)
{
    if (!heldOut.gapDb || !heldOut.sqnrDb)
        return;
    section.facts.emplace_back(
        tr("held out (%1 parts)").arg(countLabel(heldOut.parts.size())),
        tr("%1 dB, %2 dB below what was seen")
            .arg(fixedLabel(*heldOut.sqnrDb, 2), fixedLabel(*heldOut.gapDb, 2)));
}

}  // namespace

QString studyAnswer(const SampleStudy& study)
{
    const QString recorded = utf8Sentence(unitCountText(study.units, study.unit));
    const QString what =
        study.choice.scheme.isAffine() ? tr("width of the range") : tr("threshold");
    const QString other =
        study.thresholdBand
            ? tr("; others would give a %1 of %2 (95 %)").arg(what, bandText(*study.thresholdBand))
            : QString();
    switch (study.convergence()) {
    case Convergence::Converged: return tr("%1 are enough%2.").arg(recorded, other);
    case Convergence::NotConverged: return tr("%1 are not enough%2.").arg(recorded, other);
    case Convergence::Unknown: break;
    }
    return study.whyNoBand.empty() ? tr("%1 are too few to tell.").arg(recorded)
                                   : tr("whether %1 are enough is unknown: %2")
                                         .arg(recorded, utf8Sentence(study.whyNoBand));
}

FactSection studyFacts(const SampleStudy& study)
{
    FactSection section{.title = tr("Enough samples?"), .facts = {}, .sentences = {}};
    if (!study.problem.empty()) {
        section.sentences += utf8Sentence(study.problem);
        return section;
    }
    for (const std::string& flag : study.flags())
        section.sentences += QStringLiteral("± ") + utf8Sentence(flag);
    section.facts.emplace_back(tr("converged"), convergedText(study));
    if (study.thresholdBand)
        section.facts.emplace_back(study.choice.scheme.isAffine() ? tr("width of the range, 95 %")
                                                                  : tr("threshold, 95 %"),
                                   bandText(*study.thresholdBand));
    if (const std::optional<SampleBand> scale = study.scaleBand())
        section.facts.emplace_back(tr("scale, 95 %"), bandText(*scale));
    if (study.sqnrBandDb)
        section.facts.emplace_back(
            tr("SQNR, 95 %"),
            tr("%1 … %2 dB")
                .arg(fixedLabel(study.sqnrBandDb->low, 2), fixedLabel(study.sqnrBandDb->high, 2)));
    if (study.order)
        addOrder(section, *study.order);
    if (study.heldOut)
        addHeldOut(section, *study.heldOut);
    if (study.resamples > 0)
        section.facts.emplace_back(
            tr("drawn"),
            tr("%1 resamples, seed %2").arg(countLabel(study.resamples)).arg(study.seed));
    if (!study.whyNoBand.empty())
        section.sentences += utf8Sentence(study.whyNoBand);
    for (const std::string& note : study.notes)
        section.sentences += utf8Sentence(note);
    return section;
}

FactSection statisticsFacts(const TensorProfile& profile)
{
    const Extents& extents = profile.extents();
    FactSection section{.title = tr("Statistics"), .facts = {}, .sentences = {}};
    const auto add = [&](const QString& name, const QString& value) {
        section.facts.emplace_back(name, value);
    };
    if (extents.finite > 0) {
        add(tr("min … max"), tr("%1 … %2").arg(valueLabel(extents.min), valueLabel(extents.max)));
        if (const Histogram* magnitudes = profile.histogram({.domain = Domain::Magnitude}))
            if (const std::optional<double> quantile = estimatedQuantile(*magnitudes, 0.999))
                // Under a lone maximum one bin has all else, and an estimate says nothing; of more than
                // 1,000 values it is at most the second largest.
                add(tr("p99.9 of |x|"), extents.finite > 1000 && *quantile > extents.absSecond
                                            ? tr("at most %1").arg(valueLabel(extents.absSecond))
                                            : tr("≈ %1").arg(valueLabel(*quantile)));
        add(tr("mean"), valueLabel(profile.moments.mean));
        add(tr("standard deviation"), valueLabel(profile.moments.standardDeviation()));
        if (const double kurtosis = profile.moments.kurtosis(); std::isfinite(kurtosis))
            add(tr("excess kurtosis"), valueLabel(kurtosis));
    }
    add(tr("zeros"), countedShareText(extents.zeros, extents.values()));
    const FirstNotFinite& first = profile.firstNotFinite;
    add(tr("NaN"), placedShareText(extents.nan, profile, first.nan));
    add(tr("infinite"), placedShareText(extents.infinite(), profile, first.infinite));
    if (profile.info.mask)
        section.sentences += QString::fromStdString(maskText(profile.info));
    for (const std::string& note : lossNotes(extents))
        section.sentences += QString::fromStdString(note);
    return section;
}

std::vector<FactSection> recipeFacts(const Recipe& recipe)
{
    FactSection section{.title = tr("Chosen recipe"), .facts = {}, .sentences = {}};
    section.facts.emplace_back(tr("recipe"), QString::fromStdString(recipe.title));
    section.sentences += QString::fromStdString(recipe.source);
    FactSection source{.title = tr("Source"), .facts = {}, .sentences = {}};
    for (const std::string& statement : recipe.states)
        source.sentences += QString::fromStdString(statement);
    FactSection own{.title = tr("Our choice"), .facts = {}, .sentences = {}};
    for (const std::string& choice : recipe.chosen)
        own.sentences += QString::fromStdString(choice);
    std::vector<FactSection> sections{std::move(section)};
    for (FactSection* further : {&source, &own})
        if (!further->sentences.isEmpty())
            sections.push_back(std::move(*further));
    return sections;
}

FactSection overviewFacts(const SqnrOverview& overview, const SqnrLimits& limits)
{
    FactSection section{.title = tr("All tensors"), .facts = {}, .sentences = {}};
    if (overview.known == 0)
        return section;
    std::map<Role, std::vector<double>> known;
    std::size_t poor = 0;
    for (const OverviewEntry& entry : overview.entries) {
        if (!entry.sqnrDb || entry.isOfOneValue)
            continue;
        poor += *entry.sqnrDb >= limits.poor ? 0U : 1U;
        known[entry.role].push_back(*entry.sqnrDb);
    }
    const auto db = [](double value) { return tr("%1 dB").arg(valueLabel(value, 3)); };
    section.facts.emplace_back(
        tr("SQNR known of"),
        tr("%1 of %2").arg(countLabel(overview.known), countLabel(overview.entries.size())));
    if (overview.uncounted > 0)
        section.facts.emplace_back(tr("not counted (biases, excluded)"),
                                   countLabel(overview.uncounted));
    section.facts.emplace_back(tr("%1 and above").arg(db(limits.good)),
                               countLabel(overview.known - overview.below - overview.ofOneValue));
    section.facts.emplace_back(tr("below %1").arg(db(limits.good)), countLabel(overview.below));
    section.facts.emplace_back(tr("of these below %1").arg(db(limits.poor)), countLabel(poor));
    if (overview.ofOneValue > 0)
        section.facts.emplace_back(tr("signal of one value"), countLabel(overview.ofOneValue));
    for (auto& [role, values] : known) {
        std::ranges::sort(values);
        const QString name = role == Role::Activation ? tr("activations")
                             : role == Role::Weight   ? tr("weights")
                                                      : tr("other tensors");
        section.facts.emplace_back(tr("%1, median").arg(name), db(values[values.size() / 2]));
        section.facts.emplace_back(tr("%1, lowest").arg(name), db(values.front()));
    }
    return section;
}

FactSection provenanceFacts(const TensorInfo& tensor)
{
    FactSection section{.title = tr("In the file"), .facts = {}, .sentences = {}};
    const auto add = [&](const QString& name, const QString& value) {
        if (!value.isEmpty())
            section.facts.emplace_back(name, value);
    };
    const auto addText = [&](const QString& name, const std::string& value) {
        add(name, QString::fromStdString(value));
    };
    addText(tr("path"), tensor.path);
    if (!tensor.parts.empty())
        add(tr("datasets"),
            tr("%1, one after the other\nfrom %2\nto %3")
                .arg(countLabel(tensor.parts.size()), QString::fromStdString(tensor.parts.front()),
                     QString::fromStdString(tensor.parts.back())));
    add(tr("shape"), shapeLabel(tensor));
    add(tr("type"), typeLabel(tensor));
    addText(tr("layout"), tensor.layout);
    add(tr("role"), roleTitle(tensor.role));
    add(tr("batch axis"), axisText(tensor.batchAxis));
    add(tr("channel axis"), axisText(tensor.channelAxis));
    if (!tensor.shape.empty())
        add(tr("interpretation"),
            divisionLabel(tensor).replace(QStringLiteral(", "), QStringLiteral("\n")));
    addText(tensor.isGuess ? tr("layout guessed by") : tr("layout rule"), tensor.layoutRule);
    addText(tr("compression"), tensor.compression);
    addText(tr("checksum"), tensor.checksum);
    addText(tr("mask"), maskText(tensor));
    for (const std::string& sentence : tensor.evidence)
        section.sentences += QString::fromStdString(sentence);
    if (!tensor.lossy.empty())
        section.sentences += QString::fromStdString(tensor.lossy);
    if (!tensor.isReadable())
        section.sentences += QString::fromStdString(tensor.unreadable.sentence);
    return section;
}

std::optional<double> estimatedQuantile(const Histogram& magnitudes, double rank)
{
    const double target = rank * static_cast<double>(magnitudes.total());
    double below = 0.0;
    for (std::size_t bin = 0; bin < magnitudes.counts.size(); ++bin) {
        const double count = static_cast<double>(magnitudes.counts[bin]);
        if (count > 0.0 && below + count >= target)
            return magnitudes.edge(bin) + (target - below) / count * magnitudes.width();
        below += count;
    }
    return std::nullopt;
}

}  // namespace calibscope
