#include "ui/report/paper_tensor.h"

#include "ui/models/result_columns.h"
#include "ui/plot/number_label.h"
#include "ui/report/provenance.h"
#include "ui/report/report_pictures.h"
#include "ui/theme/translate.h"

#include <algorithm>

namespace calibscope {

namespace {

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

QString resultCell(const ResultColumn& column, const ScaleRow& row)
{
    const std::optional<double> value = columnNumber(column, row);
    if (!value)
        return QStringLiteral("–");
    const bool isMarked = column.isMetric && !row.hasExactMetrics;
    return (isMarked ? QStringLiteral("≈") : QString()) +
           (column.isMetric ? columnText(column, *value) : valueLabel(*value, column.pageDigits));
}

QString facts(const TensorProfile& profile)
{
    const TensorInfo& info = profile.info;
    const Extents& extents = profile.extents();
    QStringList parts = {text(std::string(roleText(info.role)))};
    for (const std::string& fact : {info.op, shapeText(info.shape), typeText(info)})
        if (!fact.empty())
            parts += text(fact);
    parts += countText(extents.values(), tr("1 value"), tr("%1 values"));
    parts += countText(extents.zeros, tr("1 zero"), tr("%1 zeros"));
    if (extents.nan + extents.infinite() > 0)
        parts +=
            tr("%1 NaN, %2 infinite").arg(countLabel(extents.nan), countLabel(extents.infinite()));
    if (extents.finite > 0) {
        parts += tr("%1 to %2").arg(valueLabel(extents.min, 5), valueLabel(extents.max, 5));
        parts += tr("mean %1").arg(valueLabel(profile.moments.mean, 4));
        parts +=
            tr("standard deviation %1").arg(valueLabel(profile.moments.standardDeviation(), 4));
    }
    return parts.join(QStringLiteral("  ·  "));
}

PaperTable resultTable(const report::ReportedTensor& part)
{
    std::vector<const ResultColumn*> columns;
    PaperTable table{.columns = {{tr("Calibrator")}}};
    for (const ResultColumn& column : resultColumns())
        if (column.isOnPaper) {
            columns.push_back(&column);
            table.columns.push_back({columnTitle(column), column.isNumeric});
        }
    std::optional<double> best;
    for (const report::Result& result : part.results)
        if (const std::optional<double> sqnr = result.outcome.whole.metric("sqnr_db"))
            best = std::max(best.value_or(*sqnr), *sqnr);
    for (const report::Result& result : part.results) {
        const ScaleRow& whole = result.outcome.whole;
        if (!result.outcome.problem.empty())
            continue;
        std::vector<PaperCell> cells = {{text(result.label)}};
        for (const ResultColumn* column : columns) {
            const bool isBest = column->id == "sqnr_db" && best && whole.metric("sqnr_db") == best;
            cells.push_back(
                {.text = (isBest ? QStringLiteral("★ ") : QString()) + resultCell(*column, whole),
                 .isBold = isBest});
        }
        table.rows.push_back(std::move(cells));
    }
    return table;
}

QStringList notes(const report::ReportedTensor& part)
{
    QStringList list;
    for (const report::Result& result : part.results) {
        if (!result.outcome.problem.empty())
            list += text(result.label + ": no result: " + result.outcome.problem);
        for (const std::string& note : report::notesOf(result))
            list += text(result.label + ": " + note);
    }
    return list;
}

}  // namespace

void addTensorPage(Paper& paper, const report::Report& report, const report::ReportedTensor& part,
                   const QString& anchor)
{
    paper.newPage();
    paper.heading(text(part.profile.info.name), 2, anchor);
    paper.paragraph(facts(part.profile), true);
    paper.paragraph(provenanceLine(report.sources[part.source], part.profile.info), true);
    const bool withChannels = report.has(report::Content::Channels);
    for (const ReportPlot& plot : reportPlots(part, false, withChannels)) {
        PictureSettings settings = reportPicture(part, plot, false, {});
        // The page's heading says what it is of.
        settings.title.clear();
        settings.subtitle.clear();
        constexpr int lessHeight = 50;  // plots, table and notes of a usual tensor fill one page
        settings.size.rheight() -= lessHeight;
        paper.plot(*plot.content, settings);
    }
    if (!part.results.empty())
        paper.table(resultTable(part));
    paper.bullets(notes(part));
}

}  // namespace calibscope
