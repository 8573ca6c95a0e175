// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSplitter>

namespace calibscope {

/// A splitter whose parts never vanish. They keep their usual shares of whatever room there is
/// until the user moves a handle, and can go back to them.
class PlotSplitter : public QSplitter
{
    Q_OBJECT

public:
    explicit PlotSplitter(Qt::Orientation orientation, QWidget* parent = nullptr);

    /// One for each part, in proportion.
    void setUsualShares(const QList<int>& shares);
    /// Pixels, one for each part, that their usual sizes don't go below while the others have more
    /// than theirs: where there is little room, a plot comes before equal shares. The user may.
    void setUsualLeast(const QList<int>& pixels);
    void reset();  ///< to the usual shares

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QList<int> m_usual;
    QList<int> m_least;
    bool m_isMoved = false;  ///< by the user
};

}  // namespace calibscope
