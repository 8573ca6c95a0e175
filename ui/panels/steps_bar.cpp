// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/steps_bar.h"

#include "ui/widgets/parts_label.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr int stateLines = 3;  // as high as a button with its state

QString workText(Deployment::Step step)
{
    using Step = Deployment::Step;
    switch (step) {
    case Step::Plan: return StepsBar::tr("planning");
    case Step::Write: return StepsBar::tr("writing");
    case Step::Check: return StepsBar::tr("checking");
    case Step::Improve: return StepsBar::tr("computing remedies");
    case Step::Climb: return StepsBar::tr("running models");
    case Step::WriteImproved: return StepsBar::tr("writing");
    case Step::Measure: return StepsBar::tr("measuring the end");
    case Step::Shares:
    case Step::Best:
    case Step::Budget: return StepsBar::tr("reading");
    }
    return {};
}

}  // namespace

StepsBar::StepsBar(Deployment& deployment, std::vector<Button> buttons, ElidedLabel& state,
                   QHBoxLayout& line)
    : QWidget(state.parentWidget()),
      m_deployment(deployment),
      m_buttons(std::move(buttons)),
      m_state(state),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_progress(new QProgressBar(this))
{
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins({});
    layout->setVerticalSpacing(1);
    int column = 0;
    for (Button& made : m_buttons) {
        made.button = new QPushButton(tr("%1  %2").arg(column + 1).arg(made.text), this);
        made.state = new ElidedLabel(Qt::ElideRight, this);
        made.state->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        connect(made.button, &QPushButton::clicked, this,
                [this, step = made.step] { Q_EMIT wanted(step); });
        layout->addWidget(made.button, 0, column);
        layout->addWidget(made.state, 1, column);
        layout->setColumnMinimumWidth(
            column, fontMetrics().horizontalAdvance(tr("with %1 remedies").arg(99)));
        ++column;
    }
    m_cancel->setToolTip(tr("Cancel; incomplete files are deleted"));
    connect(m_cancel, &QPushButton::clicked, &deployment, &Deployment::cancel);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(40);  // a page is as wide as its bar at least
    m_progress->setRange(0, 0);
    layout->addWidget(m_progress, 0, column);
    layout->addWidget(m_cancel, 0, column + 1);
    line.insertWidget(0, this);
    state.setLines(stateLines);
}

void StepsBar::refresh(const TextOfStep& state, const TextOfStep& obstacle)
{
    const auto running = m_deployment.running();
    QString inTheWay;  // of the first button that is grey
    for (const Button& made : m_buttons) {
        const QString why = obstacle(made.step);
        made.button->setEnabled(!running && why.isEmpty());
        made.button->setToolTip(why.isEmpty() ? made.help : why);
        const QString done = state(made.step);
        made.state->setText(running == made.step ? workText(*running)
                            : done.isEmpty()     ? tr("not yet")
                                                 : done);
        made.state->setForegroundRole(done.isEmpty() ? QPalette::PlaceholderText
                                                     : QPalette::WindowText);
        if (inTheWay.isEmpty())
            inTheWay = why;
    }
    m_cancel->setVisible(running.has_value());
    m_progress->setVisible(running.has_value());
    if (running)
        m_state.setText(m_deployment.progress().isEmpty() ? workText(*running)
                                                          : m_deployment.progress());
    else
        m_state.setText(inTheWay);
}

const StepsBar::Button& StepsBar::made(Deployment::Step step) const
{
    return *std::ranges::find(m_buttons, step, &Button::step);
}

void StepsBar::colorState(Deployment::Step step, const QColor& color)
{
    QPalette palette;
    if (color.isValid())
        palette.setColor(QPalette::WindowText, color);
    made(step).state->setPalette(palette);
}

QPushButton& StepsBar::button(Deployment::Step step) const
{
    return *made(step).button;
}

QString StepsBar::stateOf(Deployment::Step step) const
{
    return made(step).state->text();
}

}  // namespace calibscope
