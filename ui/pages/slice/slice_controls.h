// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/pages/slice/slice_axes.h"

#include <QWidget>

#include <cstdint>
#include <vector>

class QBoxLayout;
class QComboBox;
class QGridLayout;
class QLabel;
class QSlider;
class QSpinBox;
class QToolButton;

namespace calibscope {

/// Chooses the axes that are shown, an index for each other one, what the colours span, and along
/// which axis the line runs.
class SliceControls : public QWidget
{
    Q_OBJECT

public:
    explicit SliceControls(QWidget* parent = nullptr);

    enum class Colors { ClipRange, Values };
    enum class Line { Row, Column };

    void show(const TensorInfo& tensor, const SliceAxes& axes);
    using QWidget::show;
    [[nodiscard]] Colors colors() const;
    [[nodiscard]] Line line() const;
    [[nodiscard]] QComboBox& rowBox() const { return *m_rows; }
    [[nodiscard]] QComboBox& columnBox() const { return *m_columns; }
    [[nodiscard]] QComboBox& lineBox() const { return *m_line; }
    [[nodiscard]] QComboBox& colorBox() const { return *m_colors; }
    /// Of the axes that are not shown, from the first on.
    [[nodiscard]] std::vector<QSpinBox*> indexBoxes() const;

Q_SIGNALS:
    void axesWanted(const calibscope::SliceAxes& axes);
    void displayChanged();
    /// Enter or Escape was pressed: the keys go back to the picture.
    void left();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Index
    {
        QLabel* label;
        QSpinBox* box;
        QSlider* slider;
    };
    void addIndex();
    void arrangeChoices();
    void chooseAxis(bool isRow);
    void swap();

    SliceAxes m_axes;
    QComboBox* m_rows;
    QComboBox* m_columns;
    QComboBox* m_line;
    QComboBox* m_colors;
    QLabel* m_rowLabel = nullptr;
    QLabel* m_columnLabel = nullptr;
    QLabel* m_lineLabel = nullptr;
    QLabel* m_colorLabel = nullptr;
    QToolButton* m_swap;
    QBoxLayout* m_choosers = nullptr;
    QGridLayout* m_indexGrid = nullptr;
    std::vector<Index> m_indices;            ///< made as needed, in the order of their axes
    std::vector<std::uint64_t> m_indexAxes;  ///< of those that are shown
};

}  // namespace calibscope
