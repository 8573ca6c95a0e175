// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/deploy_model.h"

#include "ui/document/decisions.h"
#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"
#include "ui/queries/tool_run.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace calibscope {

namespace {

QString absent()
{
    return QStringLiteral("–");
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

void addDecisions(std::vector<DeployRow>& rows, const Document& document)
{
    for (int tensor = 0; tensor < std::ssize(document.tensors()); ++tensor) {
        const Decision* decision = decisionOf(document, tensor);
        if (decision == nullptr)
            continue;
        const TensorInfo& info = document.tensors()[static_cast<std::size_t>(tensor)];
        rows.push_back({.tensor = tensor,
                        .name = QString::fromStdString(info.name),
                        .decision = QString::fromStdString(decision->label)});
    }
}

DeployRow& rowOf(std::vector<DeployRow>& rows, const std::string& dumpTensor,
                 const std::string& tensor)
{
    const QString name = QString::fromStdString(dumpTensor);
    const QString dotted = QString::fromStdString(dottedName(tensor));
    for (DeployRow& row : rows)
        if (row.tensor >= 0 ? (name.isEmpty() ? row.name == dotted : row.name == name)
                            : row.name == QString::fromStdString(tensor))
            return row;
    rows.push_back({.name = tensor.empty() ? tr("(the model)") : QString::fromStdString(tensor),
                    .decision = {}});
    return rows.back();
}

void addPlan(std::vector<DeployRow>& rows, const DeployPlan& plan)
{
    for (DeployRow& row : rows)
        row.written = tr("not written");
    for (const PlannedIntegers& integers : plan.integers) {
        const QString scale = valueLabel(integers.scale, 3);
        const QString scales =
            integers.scales > 1 ? tr("%1 scales up to %2").arg(countLabel(integers.scales), scale)
                                : tr("scale %1").arg(scale);
        DeployRow& row = rowOf(rows, integers.dumpTensor, integers.tensor);
        row.isPlanned = true;
        const QString bits = QString::number(integers.bits);
        row.written = integers.isWeight
                          ? tr("int%1, %2").arg(bits, scales)
                          : (integers.bits == 8 ? tr("pair, %1").arg(scales)
                                                : tr("%1-bit pair, %2").arg(bits, scales));
    }
    for (const Finding& lint : plan.lints) {
        const auto planned =
            std::ranges::find(plan.integers, lint.subject, &PlannedIntegers::tensor);
        DeployRow& row =
            rowOf(rows, planned != plan.integers.end() ? planned->dumpTensor : std::string(),
                  lint.subject);
        row.lints << withoutOptions(withoutName(lint));
        row.level = std::max(row.level, 1 + static_cast<int>(lint.level));
    }
}

}  // namespace

std::vector<DeployRow> deployRows(const Deployment& deployment)
{
    std::vector<DeployRow> rows;
    addDecisions(rows, deployment.document());
    if (deployment.plan())
        addPlan(rows, *deployment.plan());
    return rows;
}

TableDescriptor<DeployRow> deployTable()
{
    using Row = DeployRow;
    TableDescriptor<Row> table;
    table.add(tr("tensor"), tr("Tensors with a decision"), &Row::name);
    table.add(tr("decision"), tr("The calibrator that was accepted"), &Row::decision);
    table.add(tr("written as"),
              tr("What the model will hold: a weight in integers, or a pair of QuantizeLinear and "
                 "DequantizeLinear at an activation"),
              [](const Row& row) { return row.written.isEmpty() ? absent() : row.written; });
    TableColumn<Row>& findings =
        table
            .addNumber(
                tr("findings"), tr("Findings; sorts by severity"),
                [](const Row& row) { return row.lints.join(QStringLiteral("  ")); },
                [](const Row& row) { return std::optional<double>(row.level); })
            .graded([](const Row& row) {
                // Nearly all rows have a warning: what stands out must be few.
                return row.level == 3 ? Grade::Severe : Grade::Plain;
            })
            .withToolTip([](const Row& row) { return row.lints.join(u'\n'); });
    findings.align = Qt::AlignLeft;
    return table;
}

double standingOutDropDb(const std::vector<TensorCheck>& tensors)
{
    constexpr double leastDb = 6.0;
    constexpr std::size_t most = 3;
    std::vector<double> drops;
    for (const TensorCheck& tensor : tensors)
        if (tensor.dropDb.value_or(0.0) >= leastDb)
            drops.push_back(*tensor.dropDb);
    std::ranges::sort(drops, std::ranges::greater());
    return drops.size() < most ? leastDb : drops[most - 1];
}

TableDescriptor<TensorCheck> checkTable(const double& standsOutDb)
{
    using Row = TensorCheck;
    TableDescriptor<Row> table{.columns = {}, .toolTip = [](const Row& tensor) {
                                   return QString::fromStdString(tensor.name);
                               }};
    const auto addDb = [&table](const QString& title, const QString& help,
                                std::optional<double> Row::*db) -> TableColumn<Row>& {
        return table.addNumber(
            title, help, [db](const Row& tensor) { return dbLabel(tensor.*db); },
            [db](const Row& tensor) { return tensor.*db; });
    };
    table.add(tr("tensor"), tr("The graph's name of a tensor in integers"), table.toolTip);
    addDb(tr("own dB"), tr("SQNR of the tensor quantized at its own scale"), &Row::ownDb);
    addDb(tr("layer dB"), tr("SQNR of its layer's output with the layer alone quantized"),
          &Row::outputSqnrDb);
    addDb(tr("running dB"),
          tr("SQNR of the tensor in the quantized model against the float one: what all before it "
             "has cost"),
          &Row::runningDb);
    addDb(tr("drop dB"),
          tr("How far running dB falls below what was to be expected there: where it is large is "
             "where to look"),
          &Row::dropDb)
        .graded([&standsOutDb](const Row& tensor) {
            return tensor.dropDb.value_or(0.0) >= standsOutDb ? Grade::Severe : Grade::Plain;
        });
    table.addNumber(
        tr("max error"), tr("Largest difference"),
        [](const Row& tensor) {
            return tensor.maxError ? valueLabel(*tensor.maxError, 3) : absent();
        },
        [](const Row& tensor) { return tensor.maxError; });
    table.add(tr("op"), tr("Operation that computes it"), [](const Row& tensor) {
        return tensor.isWeight ? tr("weight") : QString::fromStdString(tensor.op);
    });
    return table;
}

std::vector<RunningMark> runningMarks(const CheckReport& report, double standsOutDb)
{
    std::vector<RunningMark> marks;
    for (const TensorCheck& tensor : report.tensors)
        marks.push_back({.name = QString::fromStdString(tensor.name),
                         .running = tensor.isWeight ? std::nullopt : tensor.runningDb,
                         .own = tensor.ownDb,
                         .layer = tensor.outputSqnrDb,
                         .drop = tensor.dropDb,
                         .standsOut = tensor.dropDb.value_or(0.0) >= standsOutDb});
    for (const OutputCheck& output : report.outputs)
        marks.push_back({.name = tr("output %1").arg(QString::fromStdString(output.name)),
                         .running = output.asWritten.sqnrDb});
    return marks;
}

bool isOwnScaleAtFault(const TensorCheck& tensor)
{
    constexpr double reachDb = 3.0;
    return tensor.isWeight ||
           (tensor.ownDb && tensor.runningDb && *tensor.ownDb <= *tensor.runningDb + reachDb);
}

QString dropSentence(const TensorCheck& tensor)
{
    const QString name = QString::fromStdString(tensor.name);
    if (tensor.isWeight)
        return tr("%1: own %2 dB").arg(name, dbLabel(tensor.ownDb));
    const QString running =
        tensor.dropDb && *tensor.dropDb > 0.0
            ? tr("%1: %2 dB below the layers before it").arg(name, dbLabel(tensor.dropDb))
            : tr("%1: running %2 dB").arg(name, dbLabel(tensor.runningDb));
    return running +
           (isOwnScaleAtFault(tensor) ? tr(", by its own scale") : tr(", not by its own scale"));
}

std::vector<WhiskerRow> drawRows(const std::vector<OutputCheck>& outputs)
{
    std::vector<WhiskerRow> rows;
    for (const OutputCheck& output : outputs) {
        const std::optional<DrawSummary>& drawn = output.drawSummary;
        const std::optional<double>& written = output.asWritten.sqnrDb;
        if (drawn && written && std::isfinite(*written) && std::isfinite(drawn->lowestDb) &&
            std::isfinite(drawn->highestDb))
            rows.push_back({.name = QString::fromStdString(output.name),
                            .low = drawn->lowestDb,
                            .high = drawn->highestDb,
                            .line = drawn->meanDb,
                            .dot = *written,
                            .sentence = QString::fromStdString(*drawSentence(output))});
    }
    return rows;
}

QString outputSentence(const OutputCheck& output)
{
    const Agreement& written = output.asWritten;
    QString text = tr("%1: %2 dB as written")
                       .arg(QString::fromStdString(output.name), dbLabel(written.sqnrDb));
    if (written.leastDb && written.samples > 1)
        text += tr(" (median sample %1, least %2)")
                    .arg(dbLabel(written.medianDb), dbLabel(written.leastDb));
    text += output.isRunAsFused() ? tr(", %1 dB as fused").arg(dbLabel(output.asFused.sqnrDb))
                                  : tr(", not run as fused");
    text += tr(", cosine %1").arg(valueLabel(written.cosine, 4));
    if (written.sameArgmax)
        text += tr(", same argmax in %1 % of rows").arg(valueLabel(100.0 * *written.sameArgmax, 4));
    return text;
}

}  // namespace calibscope
