// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <QRectF>
#include <QString>
#include <QWidget>

#include <vector>

namespace calibscope {

/// A bar with a line and a dot, in dB; all finite.
struct WhiskerRow
{
    QString name;
    double low = 0.0;
    double high = 0.0;
    double line = 0.0;
    double dot = 0.0;
    QString sentence;
    bool isDropped = false;  ///< its bar is hollow, its name crossed out
};

/// Bars below each other on one axis in dB, each with its name before it. Hidden without rows.
class Whiskers : public QWidget
{
    Q_OBJECT

public:
    /// `legend`: what bar, line and dot are.
    explicit Whiskers(const QString& legend, QWidget* parent = nullptr);

    void setRows(std::vector<WhiskerRow> rows);
    [[nodiscard]] const std::vector<WhiskerRow>& rows() const { return m_rows; }
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

    QString m_legend;
    std::vector<WhiskerRow> m_rows;
    Range m_shown;  ///< of the axis
};

}  // namespace calibscope
