// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/paper.h"

#include "ui/plot/plot_content.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QPageSize>
#include <QTextLayout>

#include <algorithm>
#include <array>
#include <numeric>

namespace calibscope {

namespace {

constexpr double pageWidth = 794.0;  // A4
constexpr double pageHeight = 1123.0;
constexpr double margin = 56.0;
constexpr double bottom = pageHeight - 64.0;
constexpr double width = pageWidth - 2.0 * margin;
constexpr int dotsPerInch = 288;
constexpr double dotsPerPixel = dotsPerInch / 96.0;
constexpr double cellGap = 9.0;

constexpr int bodyPixels = 12;
constexpr int tablePixels = 10;

/// Numbers end where their column does; texts that follow them keep their distance.
bool isBeforeTexts(const PaperTable& table, std::size_t column)
{
    return table.columns[column].isNumeric && column + 1 < table.columns.size() &&
           !table.columns[column + 1].isNumeric;
}

QFont fontOf(int pixels, bool isBold = false)
{
    QFont font = pictureFont(pixels);
    font.setBold(isBold);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QColor ink()
{
    return lightChartColors().text;
}

QColor faint()
{
    return lightChartColors().faintText;
}

}  // namespace

Paper::Paper(const QString& title, const QString& foot, Purpose purpose)
    : m_writer(&m_buffer), m_foot(foot), m_purpose(purpose)
{
    loadFonts();
    m_buffer.open(QIODevice::WriteOnly);
    m_writer.setResolution(dotsPerInch);
    m_writer.setPageSize(QPageSize(QPageSize::A4));
    m_writer.setPageMargins(QMarginsF());
    m_writer.setTitle(title);
    m_writer.setCreator(QStringLiteral("Calibscope " CALIBSCOPE_VERSION));
    m_painter.begin(&m_writer);
    startPage();
}

void Paper::startPage()
{
    m_painter.resetTransform();
    m_painter.scale(dotsPerPixel, dotsPerPixel);
    ++m_page;
    const double footTop = bottom + 18.0;
    m_painter.fillRect(QRectF(margin, footTop - 6.0, width, 0.5), lightChartColors().grid);
    const QFont font = fontOf(tablePixels);
    text({m_foot}, QRectF(margin, footTop, width - 60.0, 40.0), font, faint());
    m_painter.setFont(font);
    m_painter.setPen(faint());
    m_painter.drawText(QRectF(margin, footTop, width, 16.0), Qt::AlignRight | Qt::AlignTop,
                       QString::number(m_page));
    m_y = margin;
    m_isFresh = true;
}

void Paper::newPage()
{
    if (m_isFresh)
        return;
    m_writer.newPage();
    startPage();
}

void Paper::reserve(double height)
{
    if (m_y + height > bottom)
        newPage();
    m_isFresh = false;
}

double Paper::text(const PaperCell& cell, const QRectF& place, const QFont& font,
                   const QColor& color)
{
    QFont used = font;
    used.setBold(font.bold() || cell.isBold);
    QTextLayout layout(QString(cell.text).replace(u'\n', QChar::LineSeparator), used);
    QTextCharFormat format;
    format.setForeground(color);
    layout.setFormats(
        {{.start = 0, .length = static_cast<int>(cell.text.size()), .format = format}});
    const double height = layOut(layout, place.width());
    layout.draw(&m_painter, place.topLeft());
    return height;
}

void Paper::heading(const QString& text, int level, const QString& anchor)
{
    constexpr std::array<int, 3> pixels = {24, 16, 13};
    constexpr std::array<double, 3> room = {80.0, 80.0, 60.0};  // not alone at a page's end
    const auto index = static_cast<std::size_t>(std::clamp(level, 1, 3) - 1);
    reserve(room[index]);
    if (m_y > margin)
        m_y += pixels[index] * 0.6;
    if (!anchor.isEmpty())
        m_pagesByAnchor[anchor] = m_page;
    m_y += this->text({text}, QRectF(margin, m_y, width, 0.0), fontOf(pixels[index], true), ink()) +
           pixels[index] * 0.3;
}

void Paper::paragraph(const QString& text, bool isQuiet)
{
    QTextLayout layout(text, fontOf(bodyPixels));
    reserve(layOut(layout, width));
    m_y += this->text({text}, QRectF(margin, m_y, width, 0.0), fontOf(bodyPixels),
                      isQuiet ? faint() : ink()) +
           4.0;
}

void Paper::bullets(const QStringList& texts)
{
    constexpr double indent = 14.0;
    for (const QString& item : texts) {
        QTextLayout layout(item, fontOf(bodyPixels - 1));
        reserve(layOut(layout, width - indent));
        text({QStringLiteral("•")}, QRectF(margin + 3.0, m_y, indent, 0.0), fontOf(bodyPixels - 1),
             faint());
        m_y += text({item}, QRectF(margin + indent, m_y, width - indent, 0.0),
                    fontOf(bodyPixels - 1), ink()) +
               2.0;
    }
}

void Paper::facts(const std::vector<std::pair<QString, QString>>& namesAndValues)
{
    constexpr double nameWidth = 130.0;
    const QFont font = fontOf(bodyPixels - 1);
    for (const auto& [name, value] : namesAndValues) {
        QTextLayout layout(value, font);
        reserve(layOut(layout, width - nameWidth));
        text({name}, QRectF(margin, m_y, nameWidth - 8.0, 0.0), font, faint());
        m_y += text({value}, QRectF(margin + nameWidth, m_y, width - nameWidth, 0.0), font, ink()) +
               2.0;
    }
}

double Paper::row(const std::vector<PaperCell>& cells, const PaperTable& table,
                  const std::vector<double>& widths, bool isHeader)
{
    double height = 0.0;
    double left = margin;
    const QFont font = fontOf(tablePixels, isHeader);
    for (std::size_t column = 0; column < cells.size(); ++column) {
        double start = left;
        double room = widths[column] - cellGap;
        if (table.columns[column].isNumeric) {
            QFont used = font;
            used.setBold(isHeader || cells[column].isBold);
            // The last column ends where the paper does.
            const double needed = QFontMetricsF(used).horizontalAdvance(cells[column].text) + 0.5;
            const double end =
                left + widths[column] - (isBeforeTexts(table, column) ? cellGap : 0.0);
            start = std::max(left, end - needed);
            room = needed + cellGap;  // measured texts differ from set ones by a hair
        }
        height = std::max(height, text(cells[column], QRectF(start, m_y + 2.0, room, 0.0), font,
                                       isHeader ? faint() : ink()));
        left += widths[column];
    }
    return height + 4.0;
}

void Paper::table(const PaperTable& table)
{
    const std::vector<double> widths = columnWidths(table, width, fontOf(tablePixels), cellGap);
    std::vector<PaperCell> titles;
    for (const PaperTable::Column& column : table.columns)
        titles.push_back({column.title});
    const auto header = [&] {
        m_isFresh = false;
        m_y += row(titles, table, widths, true);
        m_painter.fillRect(QRectF(margin, m_y, width, 0.8), lightChartColors().axis);
        m_y += 1.5;
    };
    const auto heightOf = [&](const std::vector<PaperCell>& cells) {
        double height = 0.0;
        for (std::size_t column = 0; column < cells.size(); ++column) {
            QTextLayout layout(QString(cells[column].text).replace(u'\n', QChar::LineSeparator),
                               fontOf(tablePixels, cells[column].isBold));
            height = std::max(height, layOut(layout, widths[column]));
        }
        return height + 6.0;
    };
    constexpr double headerAndRow = 44.0;
    reserve(headerAndRow);
    header();
    for (const std::vector<PaperCell>& cells : table.rows) {
        if (m_y + heightOf(cells) > bottom) {
            newPage();
            header();
        }
        m_y += row(cells, table, widths, false);
        m_painter.fillRect(QRectF(margin, m_y, width, 0.4), lightChartColors().grid);
        m_y += 0.5;
    }
    m_y += 8.0;
}

void Paper::plot(const PlotContent& content, const PictureSettings& settings)
{
    const double scale = width / settings.size.width();
    const double height = settings.size.height() * scale;
    reserve(height);
    if (m_purpose == Purpose::Print) {
        m_painter.save();
        m_painter.translate(margin, m_y);
        m_painter.scale(scale, scale);
        paintPicture(m_painter, content, settings);
        m_painter.restore();
    }
    m_y += height + 6.0;
}

QByteArray Paper::finish()
{
    m_painter.end();
    m_buffer.close();
    return m_buffer.data();
}

double layOut(QTextLayout& layout, double width)
{
    QTextOption option = layout.textOption();
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    double height = 0.0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition({0.0, height});
        height += line.height();
    }
    layout.endLayout();
    return height;
}

std::vector<double> columnWidths(const PaperTable& table, double paperWidth, const QFont& font,
                                 double gap)
{
    QFont bold = font;
    bold.setBold(true);
    const QFontMetricsF metrics(bold);  // the wider one
    std::vector<double> widths;
    double texts = 0.0;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        double width = metrics.horizontalAdvance(table.columns[column].title);
        for (const std::vector<PaperCell>& row : table.rows)
            for (const QString& line : row[column].text.split(u'\n'))
                width = std::max(width, metrics.horizontalAdvance(line));
        widths.push_back(width + (isBeforeTexts(table, column) ? 2.0 * gap : gap));
        texts += table.columns[column].isNumeric ? 0.0 : widths.back();
    }
    const double all = std::accumulate(widths.begin(), widths.end(), 0.0);
    const double rest = paperWidth - all;
    if (rest >= 0.0)
        widths.front() += rest;
    else if (texts > 0.0)  // each gives the same share
        for (std::size_t column = 0; column < widths.size(); ++column)
            if (!table.columns[column].isNumeric)
                widths[column] *= std::max(1.0 + rest / texts, 0.2);
    return widths;
}

}  // namespace calibscope
