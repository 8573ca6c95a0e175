// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_model.h"

#include "ui/document/decisions.h"
#include "ui/document/questions.h"
#include "ui/document/sqnr_overview.h"
#include "ui/document/tensor_diagnosis.h"
#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <string>

namespace calibscope {

namespace {

/// "+4.8"; a dash: nothing gains enough; empty: not known.
QString gainLabel(const std::optional<double>& db)
{
    if (!db)
        return {};
    return *db > 0.0 ? QStringLiteral("+") + fixedLabel(*db, 1) : QStringLiteral("–");
}

/// What columns are sorted by. The graver a row's flags, the less: they stand in the order of their
/// weight.
double flagsKey(const QString& letters)
{
    double key = 0.0;
    double weight = 1.0;
    for (const FlagKind& kind : flagKinds()) {
        key -= letters.contains(QChar(kind.letter)) ? weight : 0.0;
        weight /= 2.0;
    }
    return key;
}

/// The less, the more there is: clipping goes before all others, and rounding behind them.
double diagnosisKey(const std::vector<TensorFinding>& findings)
{
    double key = 0.0;
    for (const TensorFinding& finding : findings) {
        const int rank = finding.kind == FindingKind::ClippingBound ? 0 : 1 + int(finding.kind);
        key -= std::ldexp(1.0, -rank);
    }
    return key;
}

QStringList listedLines(const std::vector<std::string>& sentences)
{
    QStringList lines;
    for (const std::string& sentence : sentences)
        lines += QString::fromStdString(sentence);
    return lines;
}

QString decisionToolTip(const TensorModel& model, int tensor)
{
    const Decision& decided = *model.decision(tensor);
    const protocol::Preview* known = model.preview(tensor);
    const std::optional<double> db = model.decidedDb(tensor);
    QStringList lines = {tr("Accepted: %1.").arg(QString::fromStdString(decided.label))};
    if (!db)
        lines += tr("Its SQNR is not known yet.");
    else
        lines += tr("SQNR %1 dB.").arg(fixedLabel(*db, 2));
    if (db && known && known->sqnrDb && std::isfinite(*db) && std::isfinite(*known->sqnrDb)) {
        const double distance = *db - *known->sqnrDb;
        const QString recipes = fixedLabel(*known->sqnrDb, 2);
        lines += std::abs(distance) < 0.005
                     ? tr("The recipe's choice has the same.")
                     : (distance > 0 ? tr("%1 dB above the recipe's choice (%2 dB).")
                                     : tr("%1 dB below the recipe's choice (%2 dB)."))
                           .arg(fixedLabel(std::abs(distance), 2), recipes);
    }
    if (!decided.remark.empty())
        lines += QString::fromStdString(decided.remark);
    return lines.join(u'\n');
}

/// `diagnosed`: of all findings, a line each.
QString tensorToolTip(const TensorModel& model, int tensor, bool diagnosed)
{
    const TensorInfo& shown = model.tensor(tensor);
    QStringList lines = {
        QString::fromStdString(shown.path),
        QStringList{roleTitle(shown.role), shapeLabel(shown), typeLabel(shown)}.join(
            QStringLiteral("   "))};
    if (!shown.parts.empty())
        lines +=
            countText(shown.parts.size(), tr("1 dataset"), tr("%1 datasets, one after the other"));
    if (shown.mask)
        lines += QString::fromStdString(maskText(shown));
    lines += model.flagsOf(tensor).reasons;
    if (const protocol::Preview* known = model.preview(tensor); known && !known->findings.empty())
        lines +=
            diagnosed ? diagnosisLines(known->findings) : QStringList(diagnosisSentence(*known));
    return lines.join(u'\n');
}

/// Those known at a layer's output, then the others.
std::optional<double> layerKey(const std::optional<std::pair<int, double>>& rank)
{
    constexpr double behindAll = 1e6;  // dB that no layer has
    return rank ? std::optional(rank->second + rank->first * behindAll) : std::nullopt;
}

QVariant valueOf(const std::optional<double>& number)
{
    return number ? QVariant(*number) : QVariant();
}

/// What was accepted for the tensor of that path; nullptr: nothing was.
const Decision* decisionIn(const QMap<std::string, Decision>& decisions, const std::string& path)
{
    const auto found = decisions.find(path);
    return found == decisions.end() ? nullptr : &*found;
}

bool hasSparkline(const protocol::Preview& known)
{
    return std::ranges::any_of(known.sparkline, [](double count) { return count > 0.0; });
}

/// A sparkline in words; empty where nothing is drawn.
QString countsText(const protocol::Preview* known)
{
    if (!known || !hasSparkline(*known))
        return {};
    const double low = known->extents.min;
    const double high = known->extents.max;
    const auto most = std::ranges::max_element(known->sparkline) - known->sparkline.begin();
    const double middle =
        (static_cast<double>(most) + 0.5) / static_cast<double>(known->sparkline.size());
    return TensorModel::tr("counts from %1 to %2, most near %3")
        .arg(valueLabel(low, 3), valueLabel(high, 3), valueLabel(low + middle * (high - low), 3));
}

bool isSame(const Decision* one, const Decision* other)
{
    return one && other ? *one == *other : one == other;
}

}  // namespace

QString listedDb(const std::optional<double>& db)
{
    if (!db)
        return {};
    return std::isinf(*db) ? valueLabel(*db) : fixedLabel(*db, 1);
}

TableDescriptor<int> tensorTable(const TensorModel& model)
{
    TableDescriptor<int> table;
    const auto sqnrOf = [&model](int tensor) { return model.shownDb(tensor); };
    table.toolTip = [&model](int tensor) { return tensorToolTip(model, tensor, false); };
    table.grade = [&model](int tensor) {
        return model.isReadable(tensor) && !model.isExcluded(tensor) ? Grade::Plain
                                                                     : Grade::Disabled;
    };
    table.roles = [&model, sqnrOf](int tensor, int role) -> QVariant {
        const protocol::Preview* known = model.preview(tensor);
        switch (role) {
        case TensorModel::SqnrRole: return valueOf(sqnrOf(tensor));
        case TensorModel::AtLayerRole: return valueOf(model.atLayer(tensor));
        case TensorModel::OneValueRole: return known && isSignalOfOneValue(known->extents);
        case TensorModel::SparklineRole:
            return known ? QVariant::fromValue(
                               QList<double>(known->sparkline.begin(), known->sparkline.end()))
                         : QVariant();
        default: return {};
        }
    };
    table.add(tr("name"), tr("Name as recorded"),
              [&model](int tensor) { return QString::fromStdString(model.tensor(tensor).name); });
    const auto letters = [&model](int tensor) { return model.flagsOf(tensor).letters; };
    table
        .add(tr("!"),
             tr("Flags of the tensor; the button ? above has the legend. Sorts the gravest first"),
             letters)
        .sortedBy([letters](int tensor) { return flagsKey(letters(tensor)); })
        .withToolTip([&model](int tensor) { return model.flagsOf(tensor).reasons.join(u'\n'); });
    table
        .add(tr("counts"),
             tr("Counts from the least to the largest value; sorts by the largest magnitude"),
             [&model](int tensor) {
                 const protocol::Preview* known = model.preview(tensor);
                 return known && !hasSparkline(*known) ? QStringLiteral("–") : QString();
             })
        .sortedBy(
            [&model](int tensor) {
                const protocol::Preview* known = model.preview(tensor);
                return known ? std::optional(known->extents.absMax()) : std::nullopt;
            },
            true)
        .withToolTip([&model](int tensor) {
            const protocol::Preview* known = model.preview(tensor);
            if (!known || hasSparkline(*known))
                return tensorToolTip(model, tensor, false);
            return known->extents.finite == 0
                       ? tr("No finite value")
                       : tr("Its range is narrower than the bins of a preview");
        });
    table
        .addNumber(
            tr("SQNR"),
            tr("Signal to quantization noise of what was accepted, else under the chosen recipe, "
               "in "
               "dB. The bar reaches from 0 to 60 dB."),
            [&model, sqnrOf](int tensor) {
                return model.isLeftOut(tensor) ? QStringLiteral("–") : listedDb(sqnrOf(tensor));
            },
            sqnrOf)
        .withToolTip([&model](int tensor) {
            const protocol::Preview* known = model.preview(tensor);
            if (model.isLeftOut(tensor))
                return tr("Not covered by the chosen recipe");
            if (model.isDecided(tensor))
                return decisionToolTip(model, tensor);
            return known ? listedLines(known->notes).join(u'\n')
                         : tensorToolTip(model, tensor, false);
        });
    table.addNumber(
        tr("layer"),
        tr("Signal to noise at the output of the layer that the tensor is an operand of, the "
           "tensor alone quantized, in dB; those not known follow by their own SQNR"),
        [&model](int tensor) { return listedDb(model.atLayer(tensor)); },
        [&model](int tensor) { return layerKey(model.rankOf(tensor)); });
    table
        .add(tr("accepted"), tr("What was accepted, and its SQNR in dB; sorts by that"),
             [&model](int tensor) {
                 const Decision* decided = model.decision(tensor);
                 const std::optional<double> db = model.decidedDb(tensor);
                 return decided
                            ? QStringLiteral("%1  %2").arg(db ? listedDb(db) : QStringLiteral("…"),
                                                           QString::fromStdString(decided->label))
                            : QString();
             })
        .sortedBy([&model](int tensor) {
            constexpr double behindKnown = 1e6;  // dB that no calibrator has
            return model.isDecided(tensor)
                       ? std::optional(model.decidedDb(tensor).value_or(behindKnown))
                       : std::nullopt;
        })
        .withToolTip([&model](int tensor) {
            return model.isDecided(tensor) ? decisionToolTip(model, tensor)
                                           : tensorToolTip(model, tensor, false);
        });
    table
        .add(tr("shape"), tr("Shape; sorts by the number of values"),
             [&model](int tensor) { return shapeLabel(model.tensor(tensor)); })
        .sortedBy(
            [&model](int tensor) { return static_cast<double>(model.tensor(tensor).valueCount()); },
            true);
    table.add(tr("type"),
              tr("Element type, and how it is read; ≈: float32 can't represent every value"),
              [&model](int tensor) { return typeLabel(model.tensor(tensor)); });
    table.add(tr("op"), tr("Operation that produces or uses the tensor"),
              [&model](int tensor) { return QString::fromStdString(model.tensor(tensor).op); });
    table.add(tr("role"), tr("Activation or weight"),
              [&model](int tensor) { return roleTitle(model.tensor(tensor).role); });
    table
        .add(tr("diagnosis"), tr("Findings about the tensor, the composition of its error first"),
             [&model](int tensor) {
                 const protocol::Preview* known = model.preview(tensor);
                 return known ? diagnosisTitles(known->findings) : QString();
             })
        .sortedBy([&model](int tensor) {
            const protocol::Preview* known = model.preview(tensor);
            return known ? std::optional(diagnosisKey(known->findings)) : std::nullopt;
        })
        .withToolTip([&model](int tensor) { return tensorToolTip(model, tensor, true); });
    const auto gainOf = [&model](int tensor) { return model.gainOf(tensor); };
    table.addNumber(
        tr("gain"),
        tr("SQNR of the best calibrator less that of the recipe's choice, in dB; "
           "known of all once all tensors were computed (Ctrl+R)"),
        [gainOf](int tensor) { return gainLabel(gainOf(tensor)); }, gainOf);
    return table;
}

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
    if (isOfDocument() && decision(index))
        return decidedDb(index);
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
    if (role == Qt::AccessibleTextRole && column == Distribution)
        return countsText(preview(index.row()));
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
