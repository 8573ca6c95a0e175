// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/stats/histogram.h"
#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"

#include <QWidget>

#include <vector>

namespace calibscope {

/// An end of a clip range as a plot shows it.
struct PlacedEnd
{
    Domain domain = Domain::Magnitude;
    bool isAffine = false;
    bool isLow = false;  ///< in x; a histogram of |x| shows one end
};

/// The clip range (finite) once that end lies at `value`: under an affine scheme only this end
/// moves, in |x| the one that is seen; under a symmetric one both do, and the range is that of the
/// threshold, from minus it to it.
[[nodiscard]] Range withMovedEnd(const Range& range, const PlacedEnd& end, double value);

class ThresholdField;

/// The clip range that the user sets manually for the selected tensor: by a number, by arrow keys,
/// or by dragging a threshold of the histogram, which starts from that threshold. Each is one step
/// that can be undone.
class ManualThreshold : public QWidget
{
    Q_OBJECT

public:
    explicit ManualThreshold(Document& document, QWidget* parent = nullptr);

    /// The selected tensor's outcomes, and the histogram that is shown (nullptr: none).
    void show(const std::vector<OutcomeRow>& rows, const Histogram* histogram);
    void focusNumber();

public Q_SLOTS:
    /// A threshold of the histogram (threshold_handles.h) is where the user wants it.
    void moveHandle(const QString& handle, double value, bool isFinal);

Q_SIGNALS:
    /// The handle of the manual range, when another one that was moved has become it.
    void handleTaken(const QString& handle);
    /// The user is done with the number: the plot goes on.
    void left();

private:
    void setRange(const Range& range, const QString& mergeKey, const std::string& schemeOf);
    [[nodiscard]] const OutcomeRow* row(const QString& id) const;

    Document& m_document;
    ThresholdField* m_field;
    std::vector<OutcomeRow> m_rows;
    Domain m_domain = Domain::Magnitude;
    int m_gesture = 0;  ///< number of the drag
    bool m_isDragging = false;
};

}  // namespace calibscope
