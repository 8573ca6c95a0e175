// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/tensor_diagnosis.h"

#include "ui/document/document.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/document/sqnr_overview.h"
#include "ui/plot/number_label.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace calibscope {

namespace {

/// A candidate's SQNR, as far as it is known.
struct KnownSqnr
{
    CandidateName candidate;
    double sqnrDb = 0.0;
    bool isExact = true;
    bool isRecipes = false;
    bool isSymmetric = false;
};

std::vector<KnownSqnr> ofOutcomes(const std::vector<OutcomeRow>& rows)
{
    std::vector<KnownSqnr> known;
    for (const OutcomeRow& row : rows) {
        const std::optional<double> db =
            row.hasResult() ? row.outcome->whole.metric("sqnr_db") : std::nullopt;
        if (db && row.origin == OutcomeRow::Origin::Listed)
            known.push_back({.candidate = row.candidate.name(),
                             .sqnrDb = *db,
                             .isExact = row.outcome->whole.hasExactMetrics && !row.isEstimate,
                             .isRecipes = row.isChosenRecipes,
                             .isSymmetric = isSymmetric(row.candidate.choice)});
    }
    return known;
}

std::vector<KnownSqnr> ofMatrix(const Document& document, int tensor)
{
    std::vector<KnownSqnr> known;
    const MatrixReader& matrix = document.questions().matrix();
    const MatrixRow* row = matrix.row(tensor);
    if (!row)
        return known;
    for (const OutcomeRow& candidate : rowsOf(document, tensor)) {
        const auto column =
            std::ranges::find(matrix.columns(), candidate.candidate.id, &CandidateName::id);
        const MatrixCell* cell =
            column == matrix.columns().end()
                ? nullptr
                : row->cell(static_cast<std::size_t>(column - matrix.columns().begin()));
        const std::optional<double> db = cell ? cell->value(MatrixMetric::Sqnr) : std::nullopt;
        if (db && candidate.origin == OutcomeRow::Origin::Listed)
            known.push_back({.candidate = candidate.candidate.name(),
                             .sqnrDb = *db,
                             .isExact = cell->isExact(MatrixMetric::Sqnr),
                             .isRecipes = candidate.isChosenRecipes,
                             .isSymmetric = isSymmetric(candidate.candidate.choice)});
    }
    return known;
}

QString percent(double share)
{
    return valueLabel(100.0 * share, 3) + QStringLiteral(" %");
}

QString counted(const TensorFinding& finding, const QString& one, const QString& many)
{
    return countText(static_cast<std::uint64_t>(finding.measure), one, many);
}

}  // namespace

bool isSymmetric(const Choice& choice)
{
    return !choice.scheme.isAffine() && !choice.scheme.isUnsigned() &&
           !choice.scheme.unsignedWhenPositive;
}

std::optional<BetterChoice> betterOn(const Document& document, int tensor)
{
    std::optional<BetterChoice> best = bestOn(document, tensor);
    return best && best->gainDb < leastGainDb ? std::nullopt : std::move(best);
}

std::optional<BetterChoice> bestOn(const Document& document, int tensor, Schemes schemes)
{
    const protocol::Preview* preview = document.previews().shared()->find(tensor);
    if (preview &&
        (isSignalOfOneValue(preview->extents) ||
         std::ranges::count(preview->findings, FindingKind::Quantized, &TensorFinding::kind) > 0))
        return std::nullopt;
    const Questions& questions = document.questions();
    std::vector<KnownSqnr> known;
    if (tensor >= 0 && tensor == document.selected() && questions.part().isWhole())
        known = ofOutcomes(questions.rows());
    if (known.size() < 2)
        known = ofMatrix(document, tensor);
    const auto recipes = std::ranges::find(known, true, &KnownSqnr::isRecipes);
    if (recipes == known.end() || !std::isfinite(recipes->sqnrDb))
        return std::nullopt;
    const KnownSqnr chosen = *recipes;
    std::erase_if(known, [schemes](const KnownSqnr& one) {
        return !std::isfinite(one.sqnrDb) || (schemes == Schemes::Symmetric && !one.isSymmetric);
    });
    if (known.empty())
        return std::nullopt;
    const auto best = std::ranges::max_element(known, {}, &KnownSqnr::sqnrDb);
    const double gain = best->sqnrDb - chosen.sqnrDb;
    return BetterChoice{.candidate = best->candidate,
                        .gainDb = gain,
                        .recipesDb = chosen.sqnrDb,
                        .isExact = best->isExact && chosen.isExact};
}

QString findingTitle(FindingKind kind)
{
    switch (kind) {
    case FindingKind::Empty: return tr("no finite value");
    case FindingKind::NotFinite: return tr("not finite");
    case FindingKind::Constant: return tr("constant");
    case FindingKind::Quantized: return tr("quantized");
    case FindingKind::MostlyZeros: return tr("mostly zeros");
    case FindingKind::Saturated: return tr("saturated");
    case FindingKind::ConstantRegion: return tr("constant region");
    case FindingKind::DeadChannels: return tr("dead channels");
    case FindingKind::VanishingChannels: return tr("vanishing channels");
    case FindingKind::DominantChannels: return tr("dominant channels");
    case FindingKind::HeavyTail: return tr("heavy tail");
    case FindingKind::OneSided: return tr("one-sided");
    case FindingKind::FarFromZero: return tr("far from 0");
    case FindingKind::Bimodal: return tr("bimodal");
    case FindingKind::UnstableBatches: return tr("unstable batches");
    case FindingKind::RepeatedBatches: return tr("repeated batches");
    case FindingKind::ClippingBound: return tr("clipping-bound");
    case FindingKind::RoundingBound: return tr("rounding-bound");
    }
    return {};
}

QString findingWords(const TensorFinding& finding)
{
    const QString title = findingTitle(finding.kind);
    switch (finding.kind) {
    case FindingKind::Empty:
    case FindingKind::OneSided:
    case FindingKind::Bimodal: return title;
    case FindingKind::Quantized: return tr("%1 (step %2)").arg(title, valueLabel(finding.measure));
    case FindingKind::RepeatedBatches:
        return counted(finding, tr("1 repeated batch"), tr("%1 repeated batches"));
    case FindingKind::Constant: return tr("%1 (%2)").arg(title, valueLabel(finding.measure));
    case FindingKind::DeadChannels:
    case FindingKind::VanishingChannels:
    case FindingKind::DominantChannels: return QString::fromStdString(finding.finding.text);
    case FindingKind::HeavyTail:
        return tr("%1 (max %2 × p99.9)").arg(title, valueLabel(finding.measure, 2));
    case FindingKind::UnstableBatches:
        return tr("%1 (widest %2 × median)").arg(title, valueLabel(finding.measure, 2));
    case FindingKind::NotFinite:
    case FindingKind::MostlyZeros:
    case FindingKind::Saturated:
    case FindingKind::ConstantRegion:
    case FindingKind::FarFromZero:
    case FindingKind::ClippingBound:
    case FindingKind::RoundingBound: break;
    }
    return tr("%1 (%2)").arg(title, percent(finding.measure));
}

std::vector<TensorFinding> asRead(std::span<const TensorFinding> findings)
{
    std::vector<TensorFinding> read(findings.begin(), findings.end());
    std::stable_partition(read.begin(), read.end(), [](const TensorFinding& finding) {
        return finding.kind == FindingKind::ClippingBound;
    });
    return read;
}

QString diagnosisTitles(std::span<const TensorFinding> findings)
{
    QStringList titles;
    for (const TensorFinding& finding : asRead(findings))
        titles += findingTitle(finding.kind);
    return titles.join(QStringLiteral(", "));
}

QString diagnosisSentence(const protocol::Preview& preview, qsizetype most)
{
    constexpr double levels = 127.0;
    const std::vector<TensorFinding>& findings = preview.findings;
    const double largest = preview.extents.absMax();
    QString first;
    if (isSignalOfOneValue(preview.extents))
        first = tr("One value (%1) is the signal: the SQNR says nothing of all others. ")
                    .arg(valueLabel(largest, 3));
    else if (largest > 0.0 &&
             largest / levels < static_cast<double>(std::numeric_limits<float>::min()))
        first = tr("Any int8 scale is subnormal in float32: a runtime may take it for 0. ");
    QStringList words;
    for (const TensorFinding& finding : asRead(findings))
        words += findingWords(finding);
    const bool isOnlyRounding =
        findings.size() == 1 && findings.front().kind == FindingKind::RoundingBound;
    if (words.isEmpty() || isOnlyRounding) {
        const QString sought = tr("no heavy tail, second mode, constant region or outlier channel");
        const bool isLow = preview.sqnrDb && *preview.sqnrDb < sqnrLimits().good;
        if (isLow)
            return first +
                   tr("Nothing found that explains %1 dB: %2. Outliers along other axes are "
                      "not looked for.")
                       .arg(fixedLabel(*preview.sqnrDb, 1), sought);
        return first + (isOnlyRounding ? tr("No issues, %1.").arg(words.front())
                                       : tr("No issues: %1.").arg(sought));
    }
    const qsizetype others = std::max<qsizetype>(words.size() - most, 0);
    QString sentence = words.first(words.size() - others).join(QStringLiteral(", ")) +
                       (others > 0 ? tr(" and %1 more.").arg(others) : QStringLiteral("."));
    sentence[0] = sentence[0].toUpper();
    return first + sentence;
}

QString gainWords(const BetterChoice& better)
{
    return tr("%1 gains %2%3 dB")
        .arg(QString::fromStdString(better.candidate.label),
             better.isExact ? QString() : QStringLiteral("≈"), fixedLabel(better.gainDb, 1));
}

QStringList diagnosisLines(std::span<const TensorFinding> findings)
{
    QStringList lines;
    for (const TensorFinding& finding : asRead(findings)) {
        QString line = QString::fromStdString(finding.finding.text) + u'.';
        line[0] = line[0].toUpper();
        lines += line;
    }
    return lines;
}

}  // namespace calibscope
