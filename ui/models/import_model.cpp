#include "ui/models/import_model.h"

#include "ui/plot/number_label.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

ImportModel::ImportModel(protocol::ImportedFile file, std::vector<std::string> tensors,
                         QObject* parent)
    : QAbstractTableModel(parent), m_file(std::move(file)), m_tensors(std::move(tensors))
{
    std::ranges::stable_sort(m_file.entries, std::ranges::greater{}, worst);
}

int ImportModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_file.entries.size() + m_file.findings.size());
}

int ImportModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : Columns;
}

QString ImportModel::text(const protocol::ImportedEntry& entry, int column) const
{
    switch (column) {
    case Name: return QString::fromStdString(entry.name);
    case Tensor:
        return entry.tensor
                   ? QString::fromStdString(m_tensors.at(static_cast<std::size_t>(*entry.tensor)))
                   : QString();
    case Low: return entry.range ? valueLabel(entry.range->low) : QString();
    case High: return entry.range ? valueLabel(entry.range->high) : QString();
    case Deviation: return percentText(entry.deviation, true);
    case Clipped: return percentText(entry.clippedShare, false);
    default: break;
    }
    QStringList findings;
    for (const Finding& finding : entry.findings)
        findings += findingText(finding);
    return findings.join(QStringLiteral("; "));
}

QVariant ImportModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const auto row = static_cast<std::size_t>(index.row());
    const bool isEntry = row < m_file.entries.size();
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole) {
        if (isEntry)
            return text(m_file.entries[row], index.column());
        return index.column() == Findings
                   ? findingText(m_file.findings[row - m_file.entries.size()])
                   : QString();
    }
    if (role == Qt::TextAlignmentRole) {
        const bool isNumber = index.column() >= Low && index.column() <= Clipped;
        return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    }
    return {};
}

QVariant ImportModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name: return tr("in the file");
    case Tensor: return tr("tensor");
    case Low: return tr("low");
    case High: return tr("high");
    case Deviation: return tr("deviation %");
    case Clipped: return tr("clipped %");
    default: return tr("findings");
    }
}

}  // namespace calibscope
