// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace calibscope {

/// A box with a fine, rounded line around it.
class CardFrame : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace calibscope
