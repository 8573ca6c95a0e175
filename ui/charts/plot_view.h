#pragma once

#include "core/base/range.h"

#include <QImage>
#include <QWidget>

#include <memory>
#include <optional>

namespace calibscope {

class PlotContent;

/// A plot: a frame with axes around a content, and all that a user does with it.
///
/// Wheel, + and - zoom along x, drag and the arrow keys move, double click and Home show all.
/// Moving the pointer draws a crosshair and reports what is under it. y follows what is shown.
class PlotView : public QWidget
{
    Q_OBJECT

public:
    explicit PlotView(std::unique_ptr<PlotContent> content, QWidget* parent = nullptr);
    ~PlotView() override;

    /// A line above the plot; empty: no room is taken for it. Also the accessible name.
    void setTitle(const QString& title, const QString& subtitle = {});
    /// Whether x has tick labels and a title; the upper ones of stacked plots go without.
    void setXLabelsShown(bool shown);
    /// Stacks two plots: from now on they share the x range, the left and right margin and the
    /// crosshair. Any number may be linked.
    void linkX(PlotView& other);

    [[nodiscard]] Range shownRange() const;  ///< along x
    void showRange(const Range& range);      ///< kept inside the full range
    void fit();                              ///< shows all

    /// What the plot shows, in a few sentences: for screen readers and tooltips.
    [[nodiscard]] QString textSummary() const;
    /// What is on screen, without the crosshair, `scale` times as many pixels.
    [[nodiscard]] QImage picture(double scale = 1.0) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The value under the pointer; nothing when the pointer has left.
    void hovered(std::optional<double> x);
    /// What is under the pointer, for a status bar; empty when the pointer has left.
    void readoutChanged(const QString& text);
    void shownRangeChanged(const calibscope::Range& range);

protected:
    [[nodiscard]] PlotContent& content() const;
    /// To be called when the content has changed. `dataChanged`: x shows all again.
    void refresh(bool dataChanged);

    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    class State;
    std::unique_ptr<State> m_state;
};

}  // namespace calibscope
