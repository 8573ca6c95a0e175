// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/comparison.h"
#include "ui/theme/chart_colors.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace calibscope {

class ElidedLabel;
class Segments;

/// Which dumps are compared and how they are drawn: A solid, B dashed, with a button that swaps
/// them and a choice of the plot.
class CompareHeader : public QWidget
{
    Q_OBJECT

public:
    explicit CompareHeader(Comparison& comparison, QWidget* parent = nullptr);

    void refresh();  ///< the comparison or the palette has changed
    [[nodiscard]] QToolButton& swapButton() const { return *m_swap; }

Q_SIGNALS:
    void swapRequested();

private:
    struct Line
    {
        QLabel* sign = nullptr;
        ElidedLabel* name = nullptr;
        ElidedLabel* facts = nullptr;
    };
    [[nodiscard]] Line makeLine();
    void showDump(const Line& line, const QString& path, const protocol::DumpOpened& dump);

    Comparison& m_comparison;
    Line m_a;
    Line m_b;
    QToolButton* m_swap;
    Segments* m_modes;
};

}  // namespace calibscope
