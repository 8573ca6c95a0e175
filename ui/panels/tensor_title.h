// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace calibscope {

class ElidedLabel;

/// A tensor's name, and beside it what is told of it in a line.
class TensorTitle : public QWidget
{
    Q_OBJECT

public:
    explicit TensorTitle(QWidget* parent = nullptr);

    using QWidget::show;
    void show(const QString& name, const QString& facts);

private:
    ElidedLabel* m_name;
    ElidedLabel* m_facts;
};

}  // namespace calibscope
