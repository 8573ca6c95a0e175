#include "ui/report/paper_report.h"

#include "core/report/html/ranking_page.h"
#include "ui/models/result_columns.h"
#include "ui/plot/number_label.h"
#include "ui/report/paper.h"
#include "ui/report/report_pictures.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace calibscope {

namespace {

using report::Content;

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

QString decibels(const std::optional<double>& sqnrDb)
{
    return sqnrDb ? valueLabel(*sqnrDb, 4) : QStringLiteral("–");
}

/// One decimal, so that a column lines up.
QString columnDecibels(double sqnrDb)
{
    return std::isinf(sqnrDb) ? valueLabel(sqnrDb) : fixedLabel(sqnrDb, 1);
}

QString fileNames(const report::Report& report)
{
    QStringList names;
    for (const report::Source& source : report.sources)
        names += text(report::fileName(source));
    return names.join(QStringLiteral(", "));
}

QString anchorOf(std::size_t line)
{
    return QStringLiteral("tensor-%1").arg(line);
}

void addSummary(Paper& paper, const report::Report& report)
{
    PaperTable table{.columns = {{tr("Recipe")},
                                 {tr("Tensors"), true},
                                 {tr("Lowest SQNR, dB"), true},
                                 {tr("Median SQNR, dB"), true},
                                 {tr("Activations"), true},
                                 {tr("Sum of squared errors"), true}}};
    for (const Recipe& recipe : report.recipes) {
        std::vector<double> sqnr;
        for (const report::TensorLine& line : report.lines)
            if (const report::ResultLine* result = line.resultOf(recipe.id);
                result != nullptr && result->sqnrDb)
                sqnr.push_back(*result->sqnrDb);
        std::ranges::sort(sqnr);
        const report::ErrorSum sum = report.errorSum(recipe.id);
        const QString dash = QStringLiteral("–");
        table.rows.push_back({{text(recipe.title)},
                              {countLabel(sqnr.size())},
                              {sqnr.empty() ? dash : decibels(sqnr.front())},
                              {sqnr.empty() ? dash : decibels(sqnr[sqnr.size() / 2])},
                              {countLabel(sum.activations)},
                              {sum.activations == 0 ? dash : valueLabel(sum.squaredError, 5)}});
    }
    paper.heading(tr("Recipes"), 2);
    paper.table(table);
}

void addOffences(Paper& paper, const report::Report& report)
{
    if (report.offences.empty())
        return;
    PaperTable table{
        .columns = {{tr("Condition")}, {tr("Tensor")}, {tr("Result")}, {tr("Value"), true}}};
    for (const report::Offence& offence : report.offences)
        table.rows.push_back({{text(offence.gate)},
                              {text(report.lines[offence.line].info.name)},
                              {text(offence.label)},
                              {valueLabel(offence.value, 5)}});
    paper.heading(tr("Failed gates"), 2);
    paper.table(table);
}

void addProblems(Paper& paper, const report::Report& report)
{
    QStringList problems;
    for (const report::Source& source : report.sources)
        if (!source.problem.empty())
            problems += text(source.problem);
    for (const report::TensorLine& line : report.lines) {
        if (!line.problem.empty())
            problems += text(line.info.name + ": " + line.problem);
        for (const report::ResultLine& result : line.results)
            if (!result.problem.empty())
                problems += text(line.info.name + ": " + result.label + ": " + result.problem);
    }
    if (problems.isEmpty())
        return;
    paper.heading(tr("Not read or not computed"), 2);
    paper.bullets(problems);
}

/// Pages of tensors by anchor.
using Pages = std::map<QString, int>;

/// Recipes are numbered: their names are too long for the columns.
void addRanking(Paper& paper, const report::Report& report, const Pages& pages)
{
    paper.newPage();
    paper.heading(tr("Ranking"), 2);
    paper.paragraph(tr("SQNR in dB under each recipe; the tensor with the lowest one comes first."),
                    true);
    QStringList key;
    PaperTable table{
        .columns = {{tr("Tensor")}, {tr("Page"), true}, {tr("Role")}, {tr("Op")}, {tr("Shape")}}};
    for (std::size_t index = 0; index < report.recipes.size(); ++index) {
        const QString number = QString::number(index + 1);
        key += number + QStringLiteral(" ") + text(report.recipes[index].title);
        table.columns.push_back({number, true});
    }
    paper.paragraph(key.join(QStringLiteral(";  ")), true);
    for (const std::size_t place : report.ranking()) {
        const report::TensorLine& line = report.lines[place];
        const auto page = pages.find(anchorOf(place));
        std::vector<PaperCell> cells = {
            {text(line.info.name)},
            {page == pages.end() ? QString() : QString::number(page->second)},
            {text(std::string(roleText(line.info.role)))},
            {text(line.info.op)},
            {text(shapeText(line.info.shape))}};
        const std::optional<double> worst = line.worstSqnr();
        for (const Recipe& recipe : report.recipes) {
            const report::ResultLine* result = line.resultOf(recipe.id);
            const bool isWorst = result != nullptr && result->sqnrDb && result->sqnrDb == worst;
            cells.push_back({.text = result == nullptr ? QString()
                                     : result->sqnrDb  ? columnDecibels(*result->sqnrDb)
                                                       : QStringLiteral("–"),
                             .isBold = isWorst});
        }
        table.rows.push_back(std::move(cells));
    }
    paper.table(table);
}

void addStatements(Paper& paper, const report::Report& report)
{
    paper.newPage();
    paper.heading(tr("Methods"), 2);
    const auto list = [&paper](const QString& title, const std::vector<std::string>& sentences) {
        if (sentences.empty())
            return;
        QStringList items;
        for (const std::string& sentence : sentences)
            items += text(sentence);
        paper.paragraph(title, true);
        paper.bullets(items);
    };
    for (const Recipe& recipe : report.recipes) {
        paper.heading(text(recipe.title), 3);
        paper.paragraph(text(recipe.source), true);
        list(tr("What the source states:"), recipe.states);
        list(tr("What was chosen where it is silent:"), recipe.chosen);
        for (const RecipeRule& rule : recipe.rules)
            paper.bullets({text(rule.choice.calibrator + ": " + rule.choice.settings.toText())});
    }
}

void addFiles(Paper& paper, const report::Report& report)
{
    for (const report::Source& source : report.sources) {
        std::vector<std::pair<QString, QString>> facts = {{tr("File"), text(source.identity.path)}};
        if (source.problem.empty()) {
            facts.emplace_back(tr("Bytes"), countLabel(source.identity.bytes));
            facts.emplace_back(tr("Changed"), text(source.identity.modified));
            facts.emplace_back(tr("SHA-256"), text(source.identity.sha256));
        }
        for (const auto& [name, value] : source.attributes)
            facts.emplace_back(text(name), text(value));
        paper.facts(facts);
        paper.gap(8.0);
    }
}

void addEnvironment(Paper& paper, const report::Report& report)
{
    paper.heading(tr("Environment"), 2);
    std::vector<std::pair<QString, QString>> facts;
    for (const auto& [name, value] : report.environment)
        facts.emplace_back(text(name), text(value));
    paper.facts(facts);
}

QString resultCell(const ResultColumn& column, const ScaleRow& row)
{
    const std::optional<double> value = columnNumber(column, row);
    if (!value)
        return QStringLiteral("–");
    const bool isMarked = column.isMetric && !row.hasExactMetrics;
    return (isMarked ? QStringLiteral("≈") : QString()) +
           (column.isMetric ? columnText(column, *value) : valueLabel(*value, column.pageDigits)) +
           text(column.bar(row));
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
    for (const std::string& note : lossNotes(extents))
        parts += text(note);
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

/// Where a tensor is from, its plots, its results, their notes.
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

void addPages(Paper& paper, const report::Report& report, const std::set<std::size_t>& drawn,
              const PartOfLine& partOf, const Pages& pages)
{
    paper.heading(tr("Calibration report"), 1);
    addFiles(paper, report);
    addOffences(paper, report);
    addProblems(paper, report);
    if (report.has(Content::Summary))
        addSummary(paper, report);
    if (report.has(Content::Ranking))
        addRanking(paper, report, pages);
    for (const std::size_t line : drawn)
        if (const std::optional<report::ReportedTensor> part = partOf(line))
            addTensorPage(paper, report, *part, anchorOf(line));
    if (report.has(Content::Statements))
        addStatements(paper, report);
    if (report.has(Content::Environment))
        addEnvironment(paper, report);
}

}  // namespace

QByteArray paperReport(const report::Report& report, const std::set<std::size_t>& drawn,
                       const PartOfLine& partOf)
{
    const QString title = tr("Calibration report");
    const QString foot = tr("Calibration report: %1").arg(fileNames(report));
    Pages pages;
    // The ranking names the pages behind it. Its column is as wide with numbers as without: its
    // title is wider than they are.
    if (report.has(Content::Ranking) && !drawn.empty()) {
        Paper draft(title, foot, Paper::Purpose::Draft);
        addPages(draft, report, drawn, partOf, {});
        pages = draft.pagesByAnchor();
    }
    Paper paper(title, foot);
    addPages(paper, report, drawn, partOf, pages);
    return paper.finish();
}

}  // namespace calibscope
