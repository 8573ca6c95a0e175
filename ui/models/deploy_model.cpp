#include "ui/models/deploy_model.h"

#include "ui/document/decisions.h"
#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/translate.h"

#include <QFont>
#include <QGuiApplication>
#include <QPalette>

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

namespace {

QString absent()
{
    return QStringLiteral("–");
}

QString dbLabel(const std::optional<double>& db)
{
    if (!db)
        return absent();
    return std::isfinite(*db) ? fixedLabel(*db, 1) : valueLabel(*db);
}

/// "/a/b" -> "a.b"
std::string dottedName(std::string name)
{
    std::ranges::replace(name, '/', '.');
    name.erase(0, std::min(name.find_first_not_of('.'), name.size()));
    return name;
}

/// What is said of a tensor, without its name at the beginning: the row has it.
QString withoutName(const Finding& lint)
{
    const QString text = QString::fromStdString(lint.text);
    const QString name = QString::fromStdString(lint.subject);
    for (const QString& beginning :
         {QStringLiteral("\"%1\" ").arg(name), QStringLiteral("`%1` ").arg(name), name + u' ',
          QStringLiteral("\"%1\": ").arg(name), QStringLiteral("`%1`: ").arg(name),
          name + QStringLiteral(": ")})
        if (!name.isEmpty() && text.startsWith(beginning))
            return text.mid(beginning.size());
    return text;
}

/// The n-th series' colour, as text.
QColor inkOf(int series)
{
    const QPalette palette = QGuiApplication::palette();
    return readableOn(palette.base().color(), seriesStyle(series, chartColors(palette)).color);
}

}  // namespace

DeployDecisionModel::DeployDecisionModel(const Deployment& deployment, QObject* parent)
    : QAbstractTableModel(parent), m_deployment(deployment)
{
    refresh();
}

void DeployDecisionModel::refresh()
{
    beginResetModel();
    m_rows.clear();
    addDecisions();
    if (m_deployment.plan())
        addPlan(*m_deployment.plan());
    endResetModel();
}

void DeployDecisionModel::addDecisions()
{
    const Document& document = m_deployment.document();
    for (int tensor = 0; tensor < std::ssize(document.tensors()); ++tensor) {
        const calibscope::Decision* decision = decisionOf(document, tensor);
        if (decision == nullptr)
            continue;
        const TensorInfo& info = document.tensors()[static_cast<std::size_t>(tensor)];
        m_rows.push_back({.tensor = tensor,
                          .name = QString::fromStdString(info.name),
                          .role = roleTitle(info.role),
                          .decision = QString::fromStdString(decision->label),
                          .written = {},
                          .lints = {}});
    }
}

DeployDecisionModel::Row& DeployDecisionModel::rowOf(const std::string& dumpTensor,
                                                     const std::string& tensor)
{
    const QString name = QString::fromStdString(dumpTensor);
    const QString dotted = QString::fromStdString(dottedName(tensor));
    for (Row& row : m_rows)
        if (row.tensor >= 0 ? (name.isEmpty() ? row.name == dotted : row.name == name)
                            : row.name == QString::fromStdString(tensor))
            return row;
    m_rows.push_back({.name = tensor.empty() ? tr("(the model)") : QString::fromStdString(tensor),
                      .role = {},
                      .decision = {},
                      .written = {},
                      .lints = {}});
    return m_rows.back();
}

void DeployDecisionModel::addPlan(const DeployPlan& plan)
{
    for (Row& row : m_rows)
        row.written = tr("not written");
    for (const PlannedIntegers& integers : plan.integers) {
        Row& row = rowOf(integers.dumpTensor, integers.tensor);
        const QString scale = valueLabel(integers.scale, 3);
        const QString scales =
            integers.scales > 1 ? tr("%1 scales up to %2").arg(countLabel(integers.scales), scale)
                                : tr("scale %1").arg(scale);
        row.written = integers.isWeight ? tr("int8, %1").arg(scales) : tr("pair, %1").arg(scales);
    }
    for (const Finding& lint : plan.lints) {
        const auto planned =
            std::ranges::find(plan.integers, lint.subject, &PlannedIntegers::tensor);
        Row& row = rowOf(planned != plan.integers.end() ? planned->dumpTensor : std::string(),
                         lint.subject);
        row.lints << withoutName(lint);
        row.level = std::max(row.level, 1 + static_cast<int>(lint.level));
    }
}

int DeployDecisionModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DeployDecisionModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DeployDecisionModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows.at(static_cast<std::size_t>(index.row()));
    const auto text = [&]() -> QString {
        switch (static_cast<Column>(index.column())) {
        case Tensor: return row.name;
        case Role: return row.role;
        case Decision: return row.decision;
        case WrittenAs: return row.written.isEmpty() ? absent() : row.written;
        case Lints: return row.lints.isEmpty() ? QString() : row.lints.join(QStringLiteral("  "));
        case ColumnCount: break;
        }
        return {};
    };
    switch (role) {
    case Qt::DisplayRole: return text();
    case Qt::ToolTipRole: return index.column() == Lints ? row.lints.join(u'\n') : text();
    case SortRole: return index.column() == Lints ? QVariant(row.level) : QVariant(text());
    case TensorRole: return row.tensor;
    case LevelRole: return row.level;
    case Qt::ForegroundRole:
        return index.column() == Lints && row.level >= 2 ? QVariant(inkOf(row.level == 3 ? 1 : 4))
                                                         : QVariant();
    case Qt::FontRole: {
        QFont font;
        font.setBold(index.column() == Lints && row.level == 3);
        return font;
    }
    default: return {};
    }
}

QVariant DeployDecisionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isHelp = role == Qt::ToolTipRole;
    switch (static_cast<Column>(section)) {
    case Tensor: return isHelp ? tr("Tensors with a decision") : tr("tensor");
    case Role: return isHelp ? tr("What the tensor is in the dump") : tr("role");
    case Decision: return isHelp ? tr("The calibrator that was accepted") : tr("decision");
    case WrittenAs:
        return isHelp ? tr("What the model will hold: int8 weights, or a pair of QuantizeLinear "
                           "and DequantizeLinear at an activation")
                      : tr("written as");
    case Lints: return isHelp ? tr("What is odd, the worst first when sorted") : tr("findings");
    case ColumnCount: break;
    }
    return {};
}

DeployCheckModel::DeployCheckModel(const Deployment& deployment, QObject* parent)
    : QAbstractTableModel(parent), m_deployment(deployment)
{
    refresh();
}

void DeployCheckModel::refresh()
{
    beginResetModel();
    m_tensors = m_deployment.report() ? m_deployment.report()->tensors : std::vector<TensorCheck>();
    endResetModel();
}

int DeployCheckModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_tensors.size());
}

int DeployCheckModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DeployCheckModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const TensorCheck& tensor = m_tensors.at(static_cast<std::size_t>(index.row()));
    const auto number = [&]() -> std::optional<double> {
        switch (static_cast<Column>(index.column())) {
        case OwnDb: return tensor.ownDb;
        case LayerDb: return tensor.outputSqnrDb;
        case RunningDb: return tensor.runningDb;
        case Drop: return tensor.dropDb;
        case MaxError: return tensor.maxError;
        case Tensor:
        case Op:
        case ColumnCount: break;
        }
        return std::nullopt;
    };
    const bool isText = index.column() == Tensor || index.column() == Op;
    const QString name = QString::fromStdString(tensor.name);
    const QString op = tensor.isWeight ? tr("weight") : QString::fromStdString(tensor.op);
    const bool standsOut = index.column() == Drop && tensor.dropDb.value_or(0.0) >= largeDropDb;
    switch (role) {
    case Qt::DisplayRole:
        if (isText)
            return index.column() == Tensor ? name : op;
        if (index.column() == MaxError)
            return tensor.maxError ? valueLabel(*tensor.maxError, 3) : absent();
        return dbLabel(number());
    case Qt::ToolTipRole: return name;
    case Qt::TextAlignmentRole:
        return int((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case SortRole:
        if (isText)
            return index.column() == Tensor ? name : op;
        return number() ? QVariant(*number()) : QVariant();
    case NameRole: return name;
    case Qt::FontRole: {
        QFont font;
        font.setBold(standsOut);
        return font;
    }
    case Qt::ForegroundRole: return standsOut ? QVariant(inkOf(1)) : QVariant();
    default: return {};
    }
}

QVariant DeployCheckModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Tensor || section == Op ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    const bool isHelp = role == Qt::ToolTipRole;
    switch (static_cast<Column>(section)) {
    case Tensor: return isHelp ? tr("The graph's name of a tensor in integers") : tr("tensor");
    case Op: return isHelp ? tr("What makes it") : tr("op");
    case OwnDb: return isHelp ? tr("SQNR of the tensor quantized at its own scale") : tr("own dB");
    case LayerDb:
        return isHelp ? tr("SQNR of its layer's output with the layer alone quantized")
                      : tr("layer dB");
    case RunningDb:
        return isHelp ? tr("SQNR of the tensor in the quantized model against the float one: what "
                           "all before it has cost")
                      : tr("running dB");
    case Drop:
        return isHelp ? tr("How far running dB falls below what was to be expected there: where it "
                           "is large is where to look")
                      : tr("drop dB");
    case MaxError: return isHelp ? tr("Largest difference") : tr("max error");
    case ColumnCount: break;
    }
    return {};
}

QString outputSentence(const OutputCheck& output)
{
    const Agreement& written = output.asWritten;
    QString text = tr("%1: %2 dB as written")
                       .arg(QString::fromStdString(output.name), dbLabel(written.sqnrDb));
    if (written.leastDb && written.samples > 1)
        text += tr(" (samples %1 to %2)").arg(dbLabel(written.leastDb), dbLabel(written.largestDb));
    text += tr(", %1 dB as fused").arg(dbLabel(output.asFused.sqnrDb));
    text += tr(", cosine %1").arg(valueLabel(written.cosine, 4));
    if (written.sameArgmax)
        text += tr(", same argmax in %1 % of rows").arg(valueLabel(100.0 * *written.sameArgmax, 4));
    return text;
}

}  // namespace calibscope
