// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/picture.h"

#include <QBuffer>
#include <QByteArray>
#include <QFont>
#include <QHash>
#include <QPainter>
#include <QPdfWriter>
#include <QString>
#include <QStringList>
#include <QTextLayout>

#include <map>
#include <utility>
#include <vector>

namespace calibscope {

class PlotContent;

struct PaperCell
{
    QString text;
    bool isBold = false;
};

/// A table whose header stands again on top of each further page.
struct PaperTable
{
    struct Column
    {
        QString title;
        bool isNumeric = false;
    };
    std::vector<Column> columns;
    std::vector<std::vector<PaperCell>> rows;
};

/// Pages of A4 that are filled from top to bottom; what does not fit goes to the next one. Lengths
/// are in pixels of 1/96 inch.
class Paper
{
public:
    /// Purpose of the layout: to be read, or to learn on which pages its headings are.
    enum class Purpose { Print, Draft };

    /// `foot` stands below each page, before its number. A draft has room for plots, but none.
    Paper(const QString& title, const QString& foot, Purpose purpose = Purpose::Print);
    Paper(const Paper&) = delete;
    Paper& operator=(const Paper&) = delete;

    /// Nothing at the beginning of a page.
    void newPage();
    /// 1: of the report, 2: of a part, 3: of a paragraph. Its page is found by its anchor.
    void heading(const QString& text, int level, const QString& anchor = {});
    void paragraph(const QString& text, bool isQuiet = false);
    void bullets(const QStringList& texts);
    void facts(const std::vector<std::pair<QString, QString>>& namesAndValues);
    void table(const PaperTable& table);
    /// A picture over the whole width.
    void plot(const PlotContent& content, const PictureSettings& settings);
    void gap(double height) { m_y += height; }

    /// Pages of the anchors so far, counted from 1.
    [[nodiscard]] const std::map<QString, int>& pagesByAnchor() const { return m_pagesByAnchor; }
    /// Ends the document and gives its bytes. But for the time and the id that Qt writes they are
    /// those of any other with the same content.
    [[nodiscard]] QByteArray finish();

private:
    void startPage();
    void reserve(double height);
    double text(const PaperCell& cell, const QRectF& place, const QFont& font, const QColor& color);
    double row(const std::vector<PaperCell>& cells, const PaperTable& table,
               const std::vector<double>& widths, bool isHeader);

    QBuffer m_buffer;
    QPdfWriter m_writer;
    QPainter m_painter;
    QString m_foot;
    Purpose m_purpose = Purpose::Print;
    std::map<QString, int> m_pagesByAnchor;
    int m_page = 0;
    double m_y = 0.0;
    bool m_isFresh = true;  ///< nothing is on the page yet
};

/// Breaks a text into lines of that width and gives their height. Words that are too long are
/// broken anywhere.
double layOut(QTextLayout& layout, double width);

/// Widths of a table's columns that fill the paper: as their texts ask for, and where these are
/// wider than the paper, columns of texts give way.
[[nodiscard]] std::vector<double> columnWidths(const PaperTable& table, double paperWidth,
                                               const QFont& font, double gap);

}  // namespace calibscope
