#pragma once

#include "ui/plot/picture.h"

#include <QBuffer>
#include <QByteArray>
#include <QFont>
#include <QPainter>
#include <QPdfWriter>
#include <QString>
#include <QStringList>

#include <map>
#include <utility>
#include <vector>

namespace calibscope {

class PlotContent;

struct PaperCell
{
    QString text;
    QString link = {};  ///< a heading's anchor
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
    /// `foot` stands below each page, before its number.
    Paper(const QString& title, const QString& foot);
    Paper(const Paper&) = delete;
    Paper& operator=(const Paper&) = delete;

    /// Nothing at the beginning of a page.
    void newPage();
    /// 1: of the report, 2: of a part, 3: of a paragraph. Links lead to its anchor.
    void heading(const QString& text, int level, const QString& anchor = {});
    void paragraph(const QString& text, bool isQuiet = false);
    void bullets(const QStringList& texts);
    void facts(const std::vector<std::pair<QString, QString>>& namesAndValues);
    void table(const PaperTable& table);
    /// A picture over the whole width.
    void plot(const PlotContent& content, const PictureSettings& settings);
    void gap(double height) { m_y += height; }

    /// Ends the document and gives its bytes.
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
    std::map<QString, int> m_anchors;  ///< pages, from 0
    int m_page = 0;
    double m_y = 0.0;
    bool m_isFresh = true;  ///< nothing is on the page yet
};

}  // namespace calibscope
