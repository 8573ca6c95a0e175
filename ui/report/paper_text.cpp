#include "ui/report/paper_text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <numeric>

namespace calibscope {

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
        widths.push_back(width + gap);
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
