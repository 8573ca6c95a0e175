// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/paper_report.h"

#include "core/report/describe/index_page.h"
#include "core/report/describe/tensor_page.h"
#include "ui/models/result_columns.h"
#include "ui/plot/number_label.h"
#include "ui/report/paper.h"
#include "ui/report/report_pictures.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <variant>

namespace calibscope {

namespace {

using report::Medium;
using report::Page;

/// Sheets of tensors by anchor.
using Sheets = std::map<QString, int>;

QString text(const std::string& utf8)
{
    return QString::fromStdString(utf8);
}

QString anchorOf(std::size_t line)
{
    return QStringLiteral("tensor-%1").arg(line);
}

/// One decimal, so that a column lines up.
QString decibels(const Page::Piece& piece)
{
    if (!piece.value)
        return QStringLiteral("–");
    return (piece.isExact ? QString() : QStringLiteral("≈")) +
           (std::isinf(*piece.value) ? valueLabel(*piece.value) : fixedLabel(*piece.value, 1));
}

QString resultText(const Page::Piece& piece)
{
    if (!piece.value)
        return QStringLiteral("–");
    const ResultColumn& column = *piece.column;
    return (piece.isBest ? QStringLiteral("★ ") : QString()) +
           (piece.isExact ? QString() : QStringLiteral("≈")) +
           (column.isMetric ? columnText(column, *piece.value)
                            : valueLabel(*piece.value, column.pageDigits)) +
           QString::fromStdString(piece.text);
}

/// Draws what a page tells on paper.
class PaperWriter
{
public:
    /// What draws the plots of a tensor's sheet.
    using DrawPlots = std::function<void()>;

    /// `sheets`: empty where they are not known yet.
    PaperWriter(Paper& paper, const Sheets& sheets) : m_paper(paper), m_sheets(sheets) {}

    /// Sections with headings, facts below each other.
    void writeSection(const Page::Section& section);
    /// A page on a sheet of its own: without headings, facts in one line.
    void writeSheet(const Page& page, const QString& anchor, DrawPlots drawPlots);

    void operator()(const Page::Tiles&) {}
    void operator()(const Page::Program&) {}
    void operator()(const Page::Plots&)
    {
        if (m_drawPlots)
            m_drawPlots();
    }
    void operator()(const Page::Paragraph& block)
    {
        if (block.medium != Medium::Screen)
            m_paper.paragraph(lineText(block.line), block.isQuiet);
    }
    void operator()(const Page::List& block);
    void operator()(const Page::Facts& block);
    void operator()(const Page::Table& block);
    void operator()(const Page::Statement& block);

private:
    [[nodiscard]] QString pieceText(const Page::Piece& piece) const;
    [[nodiscard]] QString lineText(const Page::Line& line) const;
    [[nodiscard]] QString appendix(const std::vector<Page::Line>& names) const;

    Paper& m_paper;
    const Sheets& m_sheets;
    DrawPlots m_drawPlots;
    bool m_isSheet = false;
};

QString PaperWriter::appendix(const std::vector<Page::Line>& names) const
{
    constexpr std::size_t mostNamed = 8;
    if (names.size() > mostNamed)
        return tr(" (%1 tensors)").arg(countLabel(names.size()));
    QStringList list;
    for (const Page::Line& name : names)
        list += lineText(name);
    return list.isEmpty() ? QString()
                          : QStringLiteral(" (%1)").arg(list.join(QStringLiteral(", ")));
}

QString PaperWriter::pieceText(const Page::Piece& piece) const
{
    using Kind = Page::Piece::Kind;
    switch (piece.kind) {
    case Kind::Text:
    case Kind::Strong:
    case Kind::Aside:
    case Kind::Code:
    case Kind::Link: return text(piece.text);
    case Kind::Small:
    case Kind::SmallAside:
    case Kind::Sparkline:
    case Kind::Swatch:
    case Kind::Break: return {};
    case Kind::Names: return appendix(piece.names);
    case Kind::Number: return valueLabel(piece.value.value_or(0.0), piece.digits);
    case Kind::Count: return countLabel(piece.count);
    case Kind::Result: return resultText(piece);
    case Kind::Sqnr: return decibels(piece);
    case Kind::SheetOf: break;
    }
    const auto sheet = m_sheets.find(anchorOf(piece.line));
    return sheet == m_sheets.end() ? QString() : QString::number(sheet->second);
}

QString PaperWriter::lineText(const Page::Line& line) const
{
    QString all;
    for (const Page::Piece& piece : line)
        all += pieceText(piece);
    return all;
}

void PaperWriter::operator()(const Page::List& block)
{
    QStringList items;
    for (const Page::Line& item : block.items)
        items += lineText(item);
    m_paper.bullets(items);
}

void PaperWriter::operator()(const Page::Facts& block)
{
    if (m_isSheet) {
        QStringList facts;
        for (const auto& [name, line] : block.facts)
            facts += text(name) + QStringLiteral(" ") + lineText(line);
        m_paper.paragraph(facts.join(QStringLiteral("  ·  ")), true);
        return;
    }
    std::vector<std::pair<QString, QString>> facts;
    for (const auto& [name, line] : block.facts)
        facts.emplace_back(text(name), lineText(line));
    m_paper.facts(facts);
    m_paper.gap(8.0);
}

/// Long titles are numbered, with a key before the table.
void PaperWriter::operator()(const Page::Table& block)
{
    PaperTable table;
    QStringList key;
    for (const Page::Table::Column& column : block.columns) {
        if (column.medium == Medium::Screen)
            continue;
        QString title = text(column.title);
        if (column.isNumbered) {
            const QString number = QString::number(key.size() + 1);
            key += number + QStringLiteral(" ") + title;
            title = number;
        }
        table.columns.push_back({title, column.isNumeric});
    }
    const auto isBold = [](const Page::Line& line) {
        return std::ranges::any_of(
            line, [](const Page::Piece& piece) { return piece.isBest || piece.isWorst; });
    };
    for (const std::vector<Page::Line>& cells : block.rows) {
        std::vector<PaperCell>& row = table.rows.emplace_back();
        for (std::size_t column = 0; column < cells.size(); ++column)
            if (block.columns[column].medium != Medium::Screen)
                row.push_back({.text = lineText(cells[column]), .isBold = isBold(cells[column])});
    }
    if (table.rows.empty())
        return;
    if (!key.isEmpty())
        m_paper.paragraph(key.join(QStringLiteral(";  ")), true);
    m_paper.table(table);
}

void PaperWriter::operator()(const Page::Statement& block)
{
    const auto list = [this](const std::vector<std::string>& texts) {
        QStringList items;
        for (const std::string& item : texts)
            items += text(item);
        m_paper.bullets(items);
    };
    m_paper.heading(text(block.title), 3);
    if (!block.summary.empty())
        m_paper.paragraph(text(block.summary));
    m_paper.paragraph(text(block.source), true);
    if (block.lists)
        for (const auto& [title, texts] : *block.lists)
            if (!texts.empty()) {
                m_paper.paragraph(text(title) + QStringLiteral(":"), true);
                list(texts);
            }
    list(block.settings);
}

/// Whether nothing of it is on paper.
bool isNothing(const Page::Block& block)
{
    if (const auto* list = std::get_if<Page::List>(&block))
        return list->items.empty();
    if (const auto* facts = std::get_if<Page::Facts>(&block))
        return facts->facts.empty();
    if (const auto* table = std::get_if<Page::Table>(&block))
        return table->rows.empty();
    return false;
}

void PaperWriter::writeSection(const Page::Section& section)
{
    if (section.medium == Medium::Screen || std::ranges::all_of(section.blocks, isNothing))
        return;
    if (section.startsSheet)
        m_paper.newPage();
    if (!section.title.empty() && !m_isSheet)
        m_paper.heading(text(section.title), 2);
    for (const Page::Block& block : section.blocks)
        std::visit(*this, block);
}

void PaperWriter::writeSheet(const Page& page, const QString& anchor, DrawPlots drawPlots)
{
    m_isSheet = true;
    m_drawPlots = std::move(drawPlots);
    m_paper.newPage();
    m_paper.heading(text(page.title), 2, anchor);
    if (page.subtitle)
        m_paper.paragraph(text(*page.subtitle), true);
    for (const Page::Section& section : page.sections)
        writeSection(section);
    m_drawPlots = {};
    m_isSheet = false;
}

void drawPlots(Paper& paper, const report::ReportedTensor& part, bool withChannels)
{
    for (const ReportPlot& plot : reportPlots(part, false, withChannels)) {
        PictureSettings settings = reportPicture(part, plot, false, {});
        // The page's heading says what it is of.
        settings.title.clear();
        settings.subtitle.clear();
        constexpr int lessHeight = 50;  // plots, table and notes of a usual tensor fill one page
        settings.size.rheight() -= lessHeight;
        paper.plot(*plot.content, settings);
    }
}

void writeReport(Paper& paper, const report::Report& report, const std::set<std::size_t>& drawn,
                 const PartOfLine& partOf, const Sheets& sheets)
{
    PaperWriter writer(paper, sheets);
    const Page front = report::indexPage(report);
    const auto writeSections = [&](bool areBehindAll) {
        for (const Page::Section& section : front.sections)
            if (section.isBehindAll == areBehindAll)
                writer.writeSection(section);
    };
    paper.heading(text(front.title), 1);
    writeSections(false);
    for (const std::size_t line : drawn)
        if (const std::optional<report::ReportedTensor> part = partOf(line))
            writer.writeSheet(report::tensorPage(*part, {.source = &report.sources[part->source],
                                                         .recipes = {},
                                                         .previous = {},
                                                         .next = {},
                                                         .hasStatements = false}),
                              anchorOf(line), [&] {
                                  drawPlots(paper, *part, report.has(report::Content::Channels));
                              });
    writeSections(true);
}

QString fileNames(const report::Report& report)
{
    QStringList names;
    for (const report::Source& source : report.sources)
        names += text(report::fileName(source));
    return names.join(QStringLiteral(", "));
}

}  // namespace

QByteArray paperReport(const report::Report& report, const std::set<std::size_t>& drawn,
                       const PartOfLine& partOf)
{
    const QString title = tr("Calibration report");
    const QString foot = tr("Calibration report: %1").arg(fileNames(report));
    Sheets sheets;
    // The table of tensors names their sheets behind it. Its column is as wide with numbers as
    // without: its title is wider than they are. (Qt's PDF engine writes links to addresses alone,
    // none to a place in the document.)
    if (report.has(report::Content::Ranking) && !drawn.empty()) {
        Paper draft(title, foot, Paper::Purpose::Draft);
        writeReport(draft, report, drawn, partOf, {});
        sheets = draft.pagesByAnchor();
    }
    Paper paper(title, foot);
    writeReport(paper, report, drawn, partOf, sheets);
    return paper.finish();
}

}  // namespace calibscope
