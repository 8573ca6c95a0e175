// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/deployment.h"

#include <QWidget>

#include <vector>

class QHBoxLayout;
class QProgressBar;
class QPushButton;

namespace calibscope {

class ElidedLabel;

/// Numbered buttons for steps of the deployment, below each its state; how far the running one is,
/// and a way to end it.
class StepsBar : public QWidget
{
    Q_OBJECT

public:
    struct Button
    {
        Deployment::Step step;
        QString text;
        QString help;
        QPushButton* button = nullptr;
        ElidedLabel* state = nullptr;
    };
    /// `line` shows the state, and gets the buttons before it.
    StepsBar(Deployment& deployment, std::vector<Button> buttons, ElidedLabel& state,
             QHBoxLayout& line);

    using TextOfStep = std::function<QString(Deployment::Step)>;
    /// `state`: what was done in a few words, blank before that; `obstacle`: why it can't be started,
    /// as a sentence, the first of which is shown while nothing runs.
    void refresh(const TextOfStep& state, const TextOfStep& obstacle);
    /// Colours the state of a step, for a verdict; an invalid colour: as usual.
    void colorState(Deployment::Step step, const QColor& color);
    [[nodiscard]] QPushButton& button(Deployment::Step step) const;
    [[nodiscard]] QString stateOf(Deployment::Step step) const;
    [[nodiscard]] QPushButton& cancelButton() const { return *m_cancel; }

Q_SIGNALS:
    void wanted(calibscope::Deployment::Step step);

private:
    [[nodiscard]] const Button& made(Deployment::Step step) const;

    Deployment& m_deployment;
    std::vector<Button> m_buttons;
    ElidedLabel& m_state;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
};

}  // namespace calibscope
