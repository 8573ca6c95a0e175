// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/results/check_results.h"

#include <QRectF>
#include <QWidget>

#include <vector>

namespace calibscope {

/// What of an output's SQNR is luck: a row for each output with draws, a bar from the lowest draw
/// to the highest, a line at the mean of their noise, and a dot where the check itself is, all on
/// one axis in dB. Outputs with infinite figures have no row. Hidden without rows.
class DrawWhiskers : public QWidget
{
    Q_OBJECT

public:
    explicit DrawWhiskers(QWidget* parent = nullptr);

    void setOutputs(const std::vector<OutputCheck>& outputs);
    [[nodiscard]] const std::vector<OutputCheck>& rows() const { return m_rows; }
    /// Where the bar of a row is drawn, and where on the axis a value is.
    [[nodiscard]] QRectF barOf(std::size_t row) const;
    [[nodiscard]] double xOf(double db) const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] double rowHeight() const;
    [[nodiscard]] QRectF plot() const;
    void paintAxis(QPainter& painter) const;
    void paintRow(QPainter& painter, std::size_t row) const;

    std::vector<OutputCheck> m_rows;
    Range m_shown;  ///< of the axis
};

}  // namespace calibscope
