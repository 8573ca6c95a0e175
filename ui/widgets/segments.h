// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QButtonGroup;
class QHBoxLayout;
class QToolButton;

namespace calibscope {

/// A row of buttons of which one is chosen: which of a few views is shown.
class Segments : public QWidget
{
    Q_OBJECT

public:
    explicit Segments(QWidget* parent = nullptr);

    /// The first one is chosen.
    QToolButton* add(const QString& text, const QString& help);
    [[nodiscard]] int current() const;  ///< counted from 0
    void setCurrent(int index);         ///< emits nothing

Q_SIGNALS:
    void chosen(int index);  ///< by the user

private:
    QHBoxLayout* m_layout;
    QButtonGroup* m_group;
};

}  // namespace calibscope
