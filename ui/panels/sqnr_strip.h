// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace calibscope {

/// One tensor of the strip.
struct StripBar
{
    int tensor = -1;
    std::optional<double> sqnrDb;         ///< nothing: not known yet, or none
    std::optional<double> recipeDb = {};  ///< of the recipe, where another choice has sqnrDb
    std::optional<double> bestDb = {};    ///< what it would be raised to; drawn as an outline
    bool isDoubted = false;               ///< of one value alone: never drawn as one that is good
    QString group = {};  ///< bars of one group lie side by side, with its title below

    bool operator==(const StripBar&) const = default;
};

/// SQNR of all tensors as bars side by side, in the colours of their grades, amber where the number
/// is doubted; before a pale one of the recipe where that is another. Where there are more bars than
/// pixels, a column has the worst of its tensors. A click, or Return on the bar that the arrows
/// lead to, goes to the tensor.
class SqnrStrip : public QWidget
{
    Q_OBJECT

public:
    /// Text on the tensor under the pointer, above the bars: one line.
    using Told = std::function<QString(int tensor)>;

    explicit SqnrStrip(Told told, QWidget* parent = nullptr);

    void setBars(std::vector<StripBar> bars, double limitDb);
    [[nodiscard]] const std::vector<StripBar>& bars() const { return m_bars; }
    /// Text on the bar under the pointer, or where the arrows lead; empty: none.
    [[nodiscard]] QString currentText() const;
    /// The bar drawn there: of several in a column the worst; -1: none.
    [[nodiscard]] int barAt(const QPointF& at) const;
    /// The middle of a bar's column at the ground.
    [[nodiscard]] QPointF placeOf(int bar) const;

    [[nodiscard]] QSize sizeHint() const override { return {400, 11 * fontMetrics().height()}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

Q_SIGNALS:
    void tensorChosen(int tensor);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    struct Column
    {
        int first = 0;  ///< bars [first, last)
        int last = 0;
        int worst = -1;  ///< of them, by SQNR; -1: none is known
    };
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] int columnCount() const;
    [[nodiscard]] Column column(int index) const;
    [[nodiscard]] double heightOf(double sqnrDb) const;
    void paintGround(QPainter& painter) const;
    void paintBars(QPainter& painter) const;
    void paintBar(QPainter& painter, const StripBar& bar, double middle, double width) const;
    void paintGroups(QPainter& painter) const;
    void paintTold(QPainter& painter) const;
    void showCurrent(int bar);

    Told m_told;
    std::vector<StripBar> m_bars;
    double m_limitDb = 0.0;
    double m_topDb = 0.0;
    int m_current = -1;  ///< under the pointer, or where the arrows lead
};

}  // namespace calibscope
