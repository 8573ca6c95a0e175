#include "ui/models/layer_candidate_model.h"

#include "ui/models/layer_model.h"
#include "ui/theme/translate.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <utility>

namespace calibscope {

namespace {

QString candidateText(const std::string& text)
{
    return QString::fromStdString(text);
}

}  // namespace

void LayerCandidateModel::setCandidates(LayerCandidates candidates)
{
    beginResetModel();
    m_candidates = std::move(candidates);
    endResetModel();
}

LayerCandidateModel::Place LayerCandidateModel::placeOf(int row) const
{
    const auto place = static_cast<std::size_t>(row);
    return place < m_candidates.input.size()
               ? Place{.isInput = true, .candidate = place}
               : Place{.isInput = false, .candidate = place - m_candidates.input.size()};
}

const CandidateEffect& LayerCandidateModel::effect(int row) const
{
    const Place place = placeOf(row);
    return (place.isInput ? m_candidates.input : m_candidates.weight).at(place.candidate);
}

bool LayerCandidateModel::isBest(const Place& place) const
{
    return (place.isInput ? m_candidates.bestInput : m_candidates.bestWeight) == place.candidate;
}

int LayerCandidateModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid()
               ? 0
               : static_cast<int>(m_candidates.input.size() + m_candidates.weight.size());
}

int LayerCandidateModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString LayerCandidateModel::text(int row, int column) const
{
    const Place place = placeOf(row);
    const CandidateEffect& shown = effect(row);
    switch (static_cast<Column>(column)) {
    case Operand: {
        const LayerOperand& operand =
            place.isInput ? m_candidates.decided.input : m_candidates.decided.weight;
        return (place.isInput ? tr("input  %1") : tr("weight  %1")).arg(candidateText(operand.tensor));
    }
    case Candidate:
        return isBest(place) ? tr("★ %1").arg(candidateText(shown.label)) : candidateText(shown.label);
    case Output: return shown.problem.empty() ? layerDbText(shown.outputSqnrDb) : tr("failed");
    case Difference:
        return shown.isDecided      ? tr("as it is")
               : shown.differenceDb ? dbChangeText(*shown.differenceDb)
                                    : layerDbText({});
    case Accept: return shown.isDecided || !shown.outputSqnrDb ? QString() : tr("accept");
    case ColumnCount: break;
    }
    return {};
}

QVariant LayerCandidateModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const CandidateEffect& shown = effect(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(index.row(), column);
    case Qt::ToolTipRole:
        return !shown.problem.empty() ? candidateText(shown.problem)
               : column == Accept && !shown.isDecided
                   ? tr("Accepts %1 for the %2, as one step that can be undone")
                         .arg(candidateText(shown.label),
                              placeOf(index.row()).isInput ? tr("input") : tr("weight"))
                   : text(index.row(), column);
    case SortRole:
        if (column == Output)
            return shown.outputSqnrDb ? QVariant(*shown.outputSqnrDb) : QVariant();
        if (column == Difference)
            return shown.differenceDb ? QVariant(*shown.differenceDb) : QVariant();
        return text(index.row(), column);
    case Qt::TextAlignmentRole:
        return int((column == Output || column == Difference ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    case Qt::FontRole: {
        QFont font;
        font.setBold(isBest(placeOf(index.row())) && column == Candidate);
        font.setUnderline(column == Accept);
        return font;
    }
    case Qt::ForegroundRole:
        if (column == Accept)
            return QGuiApplication::palette().color(QPalette::Link);
        return shown.problem.empty()
                   ? QVariant()
                   : QVariant(QGuiApplication::palette().color(QPalette::PlaceholderText));
    default: return {};
    }
}

QVariant LayerCandidateModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Output || section == Difference ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isHelp = role == Qt::ToolTipRole;
    switch (static_cast<Column>(section)) {
    case Operand: return isHelp ? tr("What the candidate would quantize") : tr("operand");
    case Candidate:
        return isHelp ? tr("★: the pair of both operands that leaves the least error")
                      : tr("candidate");
    case Output:
        return isHelp ? tr("SQNR of the layer's output, the other operand as it is")
                      : tr("output dB");
    case Difference: return isHelp ? tr("Against what it is now, in dB") : tr("change");
    case Accept: return isHelp ? tr("Accepts that candidate") : QString();
    case ColumnCount: break;
    }
    return {};
}

QString bestSingleSentence(const LayerCandidates& candidates)
{
    const CandidateEffect* best = nullptr;
    bool isInput = true;
    for (const bool ofInput : {true, false})
        for (const CandidateEffect& effect : ofInput ? candidates.input : candidates.weight)
            if (effect.differenceDb && (!best || *effect.differenceDb > *best->differenceDb)) {
                best = &effect;
                isInput = ofInput;
            }
    constexpr double leastGain = 0.05;  // what is shown as 0.1
    if (!best || best->isDecided || !(*best->differenceDb >= leastGain))
        return {};
    return (isInput ? tr("%1 on the input: %2 dB here.") : tr("%1 on the weight: %2 dB here."))
        .arg(candidateText(best->label), dbChangeText(*best->differenceDb));
}

QString bestPairSentence(const LayerCandidates& candidates)
{
    if (!candidates.bestInput || !candidates.bestWeight || !candidates.bestSqnrDb)
        return {};
    const CandidateEffect& input = candidates.input[*candidates.bestInput];
    const CandidateEffect& weight = candidates.weight[*candidates.bestWeight];
    if (input.isDecided && weight.isDecided)
        return tr("No pair of candidates leaves less error here than the present one.");
    const QString gain = candidates.bestDifferenceDb
                             ? tr(" (%1)").arg(dbChangeText(*candidates.bestDifferenceDb))
                             : QString();
    return tr("Best together: %1 on the input, %2 on the weight: %3 dB%4.")
        .arg(candidateText(input.label), candidateText(weight.label), layerDbText(candidates.bestSqnrDb),
             gain);
}

}  // namespace calibscope
