// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_model.h"

#include "ui/document/decisions.h"
#include "ui/document/questions.h"
#include "ui/document/tensor_diagnosis.h"
#include "ui/models/tensor_columns.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <string>

namespace calibscope {

namespace {

/// What was accepted for the tensor of that path; nullptr: nothing was.
const Decision* decisionIn(const QMap<std::string, Decision>& decisions, const std::string& path)
{
    const auto found = decisions.find(path);
    return found == decisions.end() ? nullptr : &*found;
}

bool isSame(const Decision* one, const Decision* other)
{
    return one && other ? *one == *other : one == other;
}

}  // namespace

TensorModel::TensorModel(const Document& document, QObject* parent)
    : TableModel(tensorTable(*this), parent), m_document(document)
{
    connect(&document, &Document::dumpChanged, this, &TensorModel::followDump);
    connect(&document, &Document::tensorsChanged, this, &TensorModel::followTensors);
    connect(&document, &Document::changed, this, &TensorModel::follow);
    connect(&document.previews(), &Previews::taken, this, &TensorModel::tellChanged);
    connect(&document.previews(), &Previews::failed, this, &TensorModel::tellChanged);
    const auto followLayers = [this] {
        if (m_tensors && isOfDocument() && tensorCount() > 0)
            tellColumns(Layer, Layer);
        Q_EMIT rankingChanged();
    };
    connect(&document.questions().layers(), &LayerReader::listed, this, followLayers);
    connect(&document.questions().layers(), &LayerReader::rowChanged, this, followLayers);
    connect(&document.questions(), &Questions::studiesChanged, this, [this] {
        if (isOfDocument() && m_document.selected() >= 0)
            tellChanged(m_document.selected());
    });
    connect(&document.questions().matrix(), &MatrixReader::rowChanged, this, [this](int tensor) {
        m_gains.erase(tensor);
        if (isOfDocument() && tensor < tensorCount())
            tellChanged(tensor);
    });
    followDump();
}

std::optional<double> TensorModel::gainOf(int index) const
{
    if (!isOfDocument())
        return std::nullopt;
    const MatrixRow* swept = m_document.questions().matrix().row(index);
    const bool isShown =
        index == m_document.selected() && m_document.questions().reader().result() != nullptr;
    if (!isShown && !(swept && swept->isRead))
        return std::nullopt;
    if (isShown) {  // its outcomes come and change
        const std::optional<BetterChoice> better = betterOn(m_document, index);
        return better ? better->gainDb : 0.0;
    }
    const auto [known, isNew] = m_gains.try_emplace(index);
    if (isNew) {
        const std::optional<BetterChoice> better = betterOn(m_document, index);
        known->second = better ? better->gainDb : 0.0;
    }
    return known->second;
}

bool TensorModel::isLeftOut(int index) const
{
    const protocol::Preview* known = preview(index);
    return isOfDocument() && index < std::ssize(m_document.tensors()) && known && !known->sqnrDb &&
           !isDecided(index) && isLeftOutByRecipe(m_document, index);
}

std::optional<double> TensorModel::atLayer(int index) const
{
    return isOfDocument() ? m_document.questions().layers().atOutputs(index) : std::nullopt;
}

int TensorModel::atLayerCount() const
{
    int count = 0;
    for (int tensor = 0; tensor < tensorCount(); ++tensor)
        count += atLayer(tensor) ? 1 : 0;
    return count;
}

std::optional<std::pair<int, double>> TensorModel::rankOf(int index) const
{
    if (const std::optional<double> db = atLayer(index))
        return std::pair(0, *db);
    const std::optional<double> own = shownDb(index);
    return own ? std::optional(std::pair(1, *own)) : std::nullopt;
}

void TensorModel::followDump()
{
    if (m_tensors && m_document.dumpState() == Document::DumpState::Opening) {
        // The former dump stays, without what was decided on it.
        readPins();
        tellColumns(0, ColumnCount - 1);
        Q_EMIT changedByUser();
        return;
    }
    m_gains.clear();
    const bool isOpen = m_document.dumpState() == Document::DumpState::Open;
    m_tensors = isOpen ? m_document.sharedTensors() : std::make_shared<const DumpTensors>();
    m_taken = isOpen ? m_document.previews().shared() : std::make_shared<const Previews::Taken>();
    reset();
}

void TensorModel::reset()
{
    const std::vector<TensorInfo>& tensors = m_tensors->all();
    m_roles.clear();
    std::ranges::transform(tensors, std::back_inserter(m_roles), &TensorInfo::role);
    std::vector<int> rows(tensors.size());
    std::iota(rows.begin(), rows.end(), 0);
    m_pins = pinnedTensors();
    setRows(std::move(rows));
}

void TensorModel::followTensors(const std::vector<int>& tensors)
{
    if (m_tensors != m_document.sharedTensors())
        return;
    if (std::ranges::any_of(tensors, [this](int tensor) {
            return m_roles.at(static_cast<std::size_t>(tensor)) != this->tensor(tensor).role;
        }))
        return reset();
    for (const int tensor : tensors)
        tellChanged(tensor);
    Q_EMIT changedByUser();
}

void TensorModel::follow(const DocumentChange& change)
{
    if (change.concerns(DocumentChange::Recipe)) {
        m_gains.clear();
        tellColumns(Sqnr, Sqnr);
        tellColumns(Diagnosed, Gain);
    }
    if (change.concerns(DocumentChange::Workbench))
        followWorkbench(change.before, m_document.workbench());
    Q_EMIT changedByUser();
}

void TensorModel::followWorkbench(const Workbench& before, const Workbench& now)
{
    if (before.pins != now.pins)
        readPins();
    if (before.excluded == now.excluded && before.decisions == now.decisions)
        return;
    for (int tensor = 0; tensor < tensorCount(); ++tensor) {
        const std::string& path = this->tensor(tensor).path;
        if (before.excluded.contains(path) != now.excluded.contains(path) ||
            !isSame(decisionIn(before.decisions, path), decisionIn(now.decisions, path)))
            tellChanged(tensor);
    }
}

std::vector<int> TensorModel::pinnedTensors() const
{
    std::vector<int> pinned;
    const std::set<std::string>& pins = m_document.workbench().pins;
    for (std::size_t tensor = 0; !pins.empty() && tensor < m_tensors->all().size(); ++tensor)
        if (pins.contains(m_tensors->all()[tensor].path))
            pinned.push_back(static_cast<int>(tensor));
    return pinned;
}

void TensorModel::readPins()
{
    const std::vector<int> before = std::exchange(m_pins, pinnedTensors());
    std::vector<int> changed;
    std::ranges::set_symmetric_difference(before, m_pins, std::back_inserter(changed));
    for (const int tensor : changed)
        tellChanged(tensor);
}

void TensorModel::tellColumns(int first, int last)
{
    if (tensorCount() > 0)
        Q_EMIT dataChanged(index(0, first), index(tensorCount() - 1, last));
}

bool TensorModel::isReadable(int index) const
{
    return tensor(index).isReadable() && !m_taken->problems.contains(index);
}

TensorFlags TensorModel::flagsOf(int index) const
{
    const Decision* decided = decision(index);
    const auto problem = m_taken->problems.find(index);
    const SampleStudy* study = isOfDocument() ? m_document.questions().studyOf(index) : nullptr;
    QStringList unconverged;
    if (study)
        for (const std::string& sentence : study->flags())
            unconverged += QString::fromStdString(sentence);
    return tensorFlags(tensor(index), preview(index),
                       {.problem = problem == m_taken->problems.end() ? QString() : problem->second,
                        .isEdited = isEdited(index),
                        .isExcluded = isExcluded(index),
                        .decided = decided ? QString::fromStdString(decided->label) : QString(),
                        .unconverged = unconverged.join(QStringLiteral("; "))});
}

const Decision* TensorModel::decision(int index) const
{
    return decisionIn(m_document.workbench().decisions, tensor(index).path);
}

std::optional<double> TensorModel::decidedDb(int index) const
{
    return isOfDocument() ? m_document.previews().sqnrOfDecision(index) : std::nullopt;
}

std::optional<double> TensorModel::shownDb(int index) const
{
    if (const std::optional<double> decided = decidedDb(index))
        return decided;
    const protocol::Preview* known = preview(index);
    return known ? known->sqnrDb : std::nullopt;
}

bool TensorModel::hasDecisions() const
{
    return isOfDocument() && tensorCount() > 0 && !m_document.workbench().decisions.isEmpty();
}

QVariant TensorModel::data(const QModelIndex& index, int role) const
{
    const int column = index.column();
    if (role == Qt::AccessibleTextRole && column == Flags)
        return flagsOf(index.row()).reasons.join(u' ');
    if (role == CopyRole && column == Name)
        return QString::fromStdString(tensor(index.row()).name);
    if (role == CopyRole)
        return column == Sqnr    ? TableModel::data(index, SqnrRole)
               : column == Layer ? TableModel::data(index, AtLayerRole)
                                 : QVariant();
    return TableModel::data(index, role);
}

bool TensorModel::isPinned(int index) const
{
    return std::ranges::binary_search(m_pins, index);
}

bool TensorModel::isExcluded(int index) const
{
    return m_document.workbench().excluded.contains(tensor(index).path);
}

}  // namespace calibscope
