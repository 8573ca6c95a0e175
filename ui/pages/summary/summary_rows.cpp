// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/summary_rows.h"

#include "ui/document/tensor_diagnosis.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>

namespace calibscope {

QString tensorsText(std::uint64_t tensors)
{
    return countText(tensors, tr("1 tensor"), tr("%1 tensors"));
}

QString dbText(double sqnrDb)
{
    return tr("%1 dB").arg(dbLabel(sqnrDb));
}

namespace {

/// Where it stands alone, a sentence begins with a capital.
QString sentence(const std::string& text)
{
    QString line = QString::fromStdString(text);
    if (!line.isEmpty())
        line[0] = line[0].toUpper();
    return line;
}

/// A long value gets lines of its own.
CardRow attributeRow(const QString& name, const QString& value)
{
    constexpr qsizetype besideName = 24;
    constexpr qsizetype most = 400;
    if (value.size() <= besideName)
        return {.name = name, .value = value};
    return {.name = name,
            .value = {},
            .note = value.size() <= most ? value : value.left(most) + QStringLiteral("…")};
}

CardRow tensorRow(const std::vector<TensorInfo>& tensors, int tensor)
{
    return {.name = QString::fromStdString(tensors.at(static_cast<std::size_t>(tensor)).name),
            .value = {},
            .link = QStringLiteral("tensor:%1").arg(tensor)};
}

}  // namespace

std::vector<CardRow> shareRows(const std::vector<TensorShare>& shares, std::uint64_t allTensors)
{
    std::vector<CardRow> rows;
    for (const TensorShare& share : shares) {
        CardRow row{.name = share.title, .value = tensorsText(share.tensors)};
        if (share.guesses > 0)
            row.value += tr(", %1 guessed").arg(countLabel(share.guesses));
        if (!share.query.isEmpty())
            row.link = QStringLiteral("filter:") + share.query;
        if (allTensors > 0)
            row.share = static_cast<double>(share.tensors) / static_cast<double>(allTensors);
        rows.push_back(row);
    }
    return rows;
}

std::vector<CardRow> ruleRows(const DumpSummary& summary, const std::vector<RuleUse>& rules)
{
    std::vector<CardRow> rows = shareRows(summary.rules, summary.tensors);
    for (CardRow& row : rows) {
        const auto rule = std::ranges::find(rules, row.name.toStdString(), &RuleUse::id);
        if (rule != rules.end())
            row.name = QString::fromStdString(rule->title);
    }
    return rows;
}

std::vector<CardRow> attributeRows(const std::map<std::string, std::string>& attributes)
{
    std::vector<CardRow> rows;
    for (const auto& [name, value] : attributes)
        rows.push_back(attributeRow(QString::fromStdString(name), QString::fromStdString(value)));
    return rows;
}

std::vector<CardRow> warningRows(const std::vector<std::string>& warnings)
{
    std::vector<CardRow> rows;
    for (const std::string& warning : warnings)
        rows.push_back({.name = {}, .value = {}, .note = sentence(warning)});
    return rows;
}

std::vector<CardRow> unreadableRows(const DumpSummary& summary,
                                    const std::vector<TensorInfo>& tensors)
{
    std::vector<CardRow> rows;
    for (const UnreadableTensors& group : summary.unreadable) {
        CardRow row = tensorRow(tensors, group.tensors.front());
        row.note = sentence(group.reason.toStdString());
        if (group.tensors.size() > 1)
            row.value = tr("and %1 more").arg(countLabel(group.tensors.size() - 1));
        rows.push_back(row);
    }
    return rows;
}

std::vector<CardRow> failedRows(const std::map<int, QString>& problems,
                                const std::vector<TensorInfo>& tensors)
{
    std::vector<CardRow> rows;
    for (const auto& [tensor, problem] : problems) {
        CardRow row = tensorRow(tensors, tensor);
        row.note = sentence(problem.toStdString());
        rows.push_back(row);
    }
    return rows;
}

CardRow shareLine(const QString& name, const std::vector<TensorShare>& shares)
{
    constexpr std::size_t most = 6;
    constexpr qsizetype besideName = 40;
    QStringList parts;
    for (const TensorShare& share : shares)
        if (static_cast<std::size_t>(parts.size()) < most)
            parts += QStringLiteral("%1  %2").arg(share.title, countLabel(share.tensors));
    if (shares.size() > most)
        parts += tr("and %1 more").arg(countLabel(shares.size() - most));
    const QString line = parts.join(QStringLiteral(",  "));
    return line.size() <= besideName ? CardRow{.name = name, .value = line}
                                     : CardRow{.name = name, .value = {}, .note = line};
}

std::vector<CardRow> findingRows(const std::map<int, protocol::Preview>& previews)
{
    std::map<FindingKind, std::uint64_t> counts;
    for (const auto& [tensor, preview] : previews)
        for (const TensorFinding& finding : preview.findings)
            ++counts[finding.kind];
    std::vector<std::pair<FindingKind, std::uint64_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted, std::ranges::greater{},
                             &std::pair<FindingKind, std::uint64_t>::second);
    // That of nearly all tensors under a wide range: it tells the others apart from none.
    std::ranges::stable_partition(
        sorted, [](const auto& found) { return found.first != FindingKind::RoundingBound; });
    std::vector<CardRow> rows;
    for (const auto& [kind, count] : sorted) {
        const std::string id(findingId(kind));
        rows.push_back({.name = findingTitle(kind),
                        .value = tensorsText(count),
                        .link = QStringLiteral("filter:is:%1").arg(QString::fromStdString(id)),
                        .share = static_cast<double>(count) /
                                 static_cast<double>(std::max<std::size_t>(previews.size(), 1))});
    }
    return rows;
}

std::vector<CardRow> decisionRows(const DecisionOverview& overview)
{
    if (overview.decidable == 0)
        return {};
    std::vector<CardRow> rows;
    rows.push_back(
        {.name = tr("accepted for %1 of %2 tensors")
                     .arg(countLabel(overview.decided), countLabel(overview.decidable)),
         .value = {},
         .link = overview.decided < overview.decidable ? QStringLiteral("filter:accepted:no")
                                                       : QStringLiteral("filter:accepted:yes"),
         .share = static_cast<double>(overview.decided) / static_cast<double>(overview.decidable)});
    if (overview.decided == 0) {
        rows.front().note =
            tr("To accept a calibrator is to choose it for a tensor. No file changes: "
               "the page Deploy writes a model of what was accepted.");
        return rows;
    }
    if (overview.known == 0) {
        rows.front().note = tr("Their SQNR is known once all tensors were computed (Calibrators, "
                               "All tensors).");
        return rows;
    }
    const auto both = [](double decided, double recipe) {
        const double gain = decided - recipe;
        return tr("%1 dB   (%2%3 against the recipe)")
            .arg(fixedLabel(decided, 1), gain >= 0.0 ? QStringLiteral("+") : QString(),
                 fixedLabel(gain, 1));
    };
    rows.push_back(
        {.name = tr("mean SQNR"), .value = both(overview.meanDb, overview.recipeMeanDb)});
    rows.push_back(
        {.name = tr("worst SQNR"), .value = both(overview.worstDb, overview.recipeWorstDb)});
    if (overview.known < overview.decided)
        rows.back().note = tr("of %1 whose SQNR is known").arg(countLabel(overview.known));
    return rows;
}

std::vector<CardRow> worstRows(const std::map<int, protocol::Preview>& previews,
                               const std::vector<TensorInfo>& tensors, std::size_t most)
{
    std::vector<CardRow> rows;
    for (const int tensor : worstTensors(previews, most)) {
        const protocol::Preview& preview = previews.at(tensor);
        const double db = *preview.sqnrDb;
        CardRow row = tensorRow(tensors, tensor);
        row.value = dbText(db);
        row.note = diagnosisSentence(preview);
        rows.push_back(row);
    }
    return rows;
}

QString largeCountLabel(std::uint64_t count)
{
    const double value = static_cast<double>(count);
    if (value >= 1e12)
        return valueLabel(value, 3);
    if (value >= 1e9)
        return tr("%1 billion").arg(valueLabel(value / 1e9, 3));
    if (value >= 1e7)
        return tr("%1 million").arg(valueLabel(value / 1e6, 3));
    return countLabel(count);
}

}  // namespace calibscope
