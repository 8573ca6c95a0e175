// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QComboBox;

namespace calibscope {

/// Files' names, with their folders where two are called the same.
[[nodiscard]] QStringList dumpTitles(const QStringList& paths);

/// Which of the window's dumps is shown; hidden while there are not two of them.
class DumpChoice : public QWidget
{
    Q_OBJECT

public:
    explicit DumpChoice(QWidget* parent = nullptr);

    void setDumps(const QStringList& paths, int shown);

Q_SIGNALS:
    void chosen(int place);

private:
    QComboBox* m_box;
};

}  // namespace calibscope
