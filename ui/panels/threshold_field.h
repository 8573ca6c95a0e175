// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/range.h"

#include <QWidget>

#include <optional>

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
    [[nodiscard]] Range current() const;
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

}  // namespace calibscope
