#include "ui/pages/summary/summary_rows.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

QString tensorsText(std::uint64_t tensors)
{
    return tensors == 1 ? tr("1 tensor") : tr("%1 tensors").arg(countLabel(tensors));
}

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

std::vector<CardRow> shareRows(const std::vector<TensorShare>& shares, std::uint64_t allValues)
{
    std::vector<CardRow> rows;
    for (const TensorShare& share : shares) {
        CardRow row{.name = share.title, .value = tensorsText(share.tensors)};
        if (share.guesses > 0)
            row.value += tr(", %1 guessed").arg(countLabel(share.guesses));
        if (!share.query.isEmpty())
            row.link = QStringLiteral("filter:") + share.query;
        if (allValues > 0)
            row.share = static_cast<double>(share.values) / static_cast<double>(allValues);
        rows.push_back(row);
    }
    return rows;
}

std::vector<CardRow> ruleRows(const DumpSummary& summary, const std::vector<RuleUse>& rules)
{
    std::vector<CardRow> rows = shareRows(summary.rules, summary.values);
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

std::vector<CardRow> worstRows(const std::map<int, protocol::Preview>& previews,
                               const std::vector<TensorInfo>& tensors, std::size_t most)
{
    std::vector<CardRow> rows;
    for (const int tensor : worstTensors(previews, most)) {
        const double db = *previews.at(tensor).sqnrDb;
        CardRow row = tensorRow(tensors, tensor);
        row.value = tr("%1 dB").arg(std::isinf(db) ? valueLabel(db) : fixedLabel(db, 1));
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
