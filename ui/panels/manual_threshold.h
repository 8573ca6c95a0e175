// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"
#include "core/stats/histogram.h"
#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;
class QLineEdit;
class QToolButton;

namespace calibscope {

class ElidedLabel;

/// The manual clip range, as numbers: one threshold for symmetric schemes, two ends for affine
/// ones, and what comes of it. Typing and Enter sets it, Escape takes back what was typed, the
/// arrow keys move it by a step, with Shift by ten; a cross takes it away.
class ThresholdField : public QWidget
{
    Q_OBJECT

public:
    enum class Ends { Threshold, Both };

    explicit ThresholdField(QWidget* parent = nullptr);

    void setEnds(Ends ends);
    /// The threshold set; nothing: no manual threshold, `instead` is shown as a hint.
    void setRange(const std::optional<Range>& range, const Range& instead);
    /// Of an arrow key, above 0.
    void setStep(double step) { m_step = step; }
    /// Share clipped, SQNR and MSE, as a line.
    void setResult(const QString& text);
    void focusNumber();

Q_SIGNALS:
    /// `isNudge`: by an arrow key, one of a series.
    void rangeChosen(const calibscope::Range& range, bool isNudge);
    void cleared();
    /// By Enter or Escape, which also takes back what was typed: the focus is another's now.
    void left();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void takeTyped();
    [[nodiscard]] QLineEdit* makeEdit(const QString& name, const QString& accessibleName);
    void nudge(const QLineEdit& edit, double steps);
    [[nodiscard]] Range current() const { return m_range.value_or(m_instead); }
    [[nodiscard]] QString wrongText() const;
    void showTexts();
    void markWrong(const QString& sentence);

    Ends m_ends = Ends::Threshold;
    std::optional<Range> m_range;
    Range m_instead;
    double m_step = 0.0;
    QLabel* m_title;
    QLineEdit* m_low;
    QLabel* m_to;
    QLineEdit* m_high;
    QToolButton* m_clear;
    ElidedLabel* m_result;
    QString m_resultText;
    QString m_wrong;  ///< of what was typed; empty: nothing is
};

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
