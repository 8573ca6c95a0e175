// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/import_model.h"

#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

/// Nothing, the least, for an entry without findings.
std::optional<FindingLevel> worst(const protocol::ImportedEntry& entry)
{
    return highestLevel(entry.findings);
}

QString percentText(std::optional<double> share, bool isSigned)
{
    if (!share || !std::isfinite(*share))
        return {};
    const QString sign = isSigned && *share > 0.0 ? QStringLiteral("+") : QString();
    return sign + valueLabel(100.0 * *share, 3);
}

}  // namespace

QString findingText(const Finding& finding)
{
    return QString::fromStdString(withLevel(finding));
}

std::vector<ImportRow> importRows(const protocol::ImportedFile& file,
                                  const std::vector<std::string>& tensors)
{
    std::vector<ImportRow> rows;
    for (const protocol::ImportedEntry& entry : file.entries)
        rows.push_back({.entry = entry,
                        .tensor = entry.tensor ? tensors.at(static_cast<std::size_t>(*entry.tensor))
                                               : std::string()});
    std::ranges::stable_sort(rows, std::ranges::greater{},
                             [](const ImportRow& row) { return worst(row.entry); });
    for (const Finding& finding : file.findings)
        rows.push_back({.entry = {.findings = {finding}}, .tensor = {}});
    return rows;
}

TableDescriptor<ImportRow> importTable()
{
    using Row = ImportRow;
    TableDescriptor<Row> table;
    table.add(tr("in the file"), {},
              [](const Row& row) { return QString::fromStdString(row.entry.name); });
    table.add(tr("tensor"), {}, [](const Row& row) { return QString::fromStdString(row.tensor); });
    const auto endText = [](double Range::*end) {
        return [end](const Row& row) {
            return row.entry.range ? valueLabel((*row.entry.range).*end) : QString();
        };
    };
    table.addRight(tr("low"), {}, endText(&Range::low));
    table.addRight(tr("high"), {}, endText(&Range::high));
    table.addRight(tr("deviation %"), {},
                   [](const Row& row) { return percentText(row.entry.deviation, true); });
    table.addRight(tr("clipped %"), {},
                   [](const Row& row) { return percentText(row.entry.clippedShare, false); });
    table.add(tr("findings"), {}, [](const Row& row) {
        QStringList findings;
        for (const Finding& finding : row.entry.findings)
            findings += findingText(finding);
        return findings.join(QStringLiteral("; "));
    });
    return table;
}

}  // namespace calibscope
