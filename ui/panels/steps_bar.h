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

/// Buttons for steps of the deployment, how far the running one is, and a way to end it.
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
    };
    /// `line` shows the state, and gets the buttons before it.
    StepsBar(Deployment& deployment, std::vector<Button> buttons, ElidedLabel& state,
             QHBoxLayout& line);

    /// `state` while nothing runs and nothing is in the way; `obstacle` says what is, as a sentence.
    void refresh(const QString& state, const std::function<QString(Deployment::Step)>& obstacle);
    [[nodiscard]] QPushButton& button(Deployment::Step step) const;
    [[nodiscard]] QPushButton& cancelButton() const { return *m_cancel; }

Q_SIGNALS:
    void wanted(calibscope::Deployment::Step step);

private:
    Deployment& m_deployment;
    std::vector<Button> m_buttons;
    ElidedLabel& m_state;
    QPushButton* m_cancel;
    QProgressBar* m_progress;
};

}  // namespace calibscope
