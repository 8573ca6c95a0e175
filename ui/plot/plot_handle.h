// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "ui/plot/axis_scale.h"

#include <QColor>
#include <QString>

#include <optional>
#include <vector>

namespace calibscope {

/// A mark along x that a user may move with the mouse or with the arrow keys.
struct PlotHandle
{
    QString id;     ///< remains the same while it is the same mark
    QString label;  ///< "upper threshold of entropy": for screen readers and the status bar
    double value = 0.0;
    Range allowed;      ///< it is kept inside, both ends included
    double step = 0.0;  ///< of an arrow key, above 0: one bin
    QColor color;
};

/// A plot's handles: which one is chosen, and where the one lies that is being moved.
class HandleSelection
{
public:
    /// The handles of a content that changed; what is chosen or held stays so while it is there.
    void setHandles(std::vector<PlotHandle> handles);
    /// A handle that is held has the value it is held at.
    [[nodiscard]] const std::vector<PlotHandle>& handles() const { return m_handles; }

    [[nodiscard]] const PlotHandle* chosen() const;
    void choose(const QString& id) { m_chosen = id; }
    /// The next to the right or to the left, from none the first or the last. False: there was none
    /// left, and none is chosen.
    bool chooseNext(bool isForward);
    void chooseNone() { m_chosen.clear(); }

    /// The handle nearest to a pixel, if it is near enough to be grabbed.
    [[nodiscard]] const PlotHandle* at(double pixel, const AxisScale& x) const;

    /// Moves a handle to a value, or as near as is allowed, and holds it there.
    double hold(const QString& id, double value);
    [[nodiscard]] bool isHeld() const { return m_held.has_value(); }
    /// From now on it lies where the content has it.
    void release() { m_held.reset(); }

private:
    struct Held
    {
        QString id;
        double value = 0.0;
    };

    [[nodiscard]] const PlotHandle* find(const QString& id) const;

    std::vector<PlotHandle> m_handles;
    QString m_chosen;
    std::optional<Held> m_held;
};

}  // namespace calibscope
