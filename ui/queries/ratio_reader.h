// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/threshold_ratio.h"
#include "core/quant/scheme.h"
#include "ui/queries/mailbox.h"
#include "ui/queries/query.h"

#include <QObject>
#include <QThread>

#include <optional>
#include <vector>

namespace calibscope {

/// Signal to noise against the threshold, computed on a thread of its own: it costs more
/// milliseconds than a frame has. What was found of the view that was asked for last is kept.
class RatioReader : public QObject
{
    Q_OBJECT

public:
    explicit RatioReader(QObject* parent = nullptr);
    /// Waits for what is at work.
    ~RatioReader() override;

    /// Of that view, not null, under that scheme. Replaces a request that was not begun yet; what
    /// is known is not computed again.
    void want(const ViewQuery::Shared& view, const Scheme& scheme);
    /// nullptr: not known, or not yet. Valid until another view is wanted.
    [[nodiscard]] const ThresholdRatio* find(const protocol::TensorView* view,
                                             const Scheme& scheme) const;
    /// Forgets what is known and what is wanted.
    void clear();
    /// Nothing is at work and nothing waits.
    [[nodiscard]] bool isIdle() const { return !m_isWorking && !m_wanted; }

Q_SIGNALS:
    void found();

private:
    struct Line
    {
        Scheme scheme;
        ThresholdRatio ratio;
    };
    void startNext();
    void finish(const ViewQuery::Shared& view, Line line);

    QThread m_thread;
    Mailbox m_begun;  ///< lives in the thread
    Mailbox m_finished;
    ViewQuery::Shared m_view;  ///< that the lines are of
    std::vector<Line> m_lines;
    std::optional<Scheme> m_wanted;
    bool m_isWorking = false;
};

/// How many thresholds a line has: fewer for a sketch of many bins.
[[nodiscard]] std::size_t thresholdsFor(const MagnitudeSketch& sketch);

}  // namespace calibscope
