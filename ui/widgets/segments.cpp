// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/segments.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QToolButton>

namespace calibscope {

Segments::Segments(QWidget* parent)
    : QWidget(parent), m_layout(new QHBoxLayout(this)), m_group(new QButtonGroup(this))
{
    m_layout->setContentsMargins({});
    m_layout->setSpacing(0);
    connect(m_group, &QButtonGroup::idClicked, this, &Segments::chosen);
}

QToolButton* Segments::add(const QString& text, const QString& help)
{
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(help);
    button->setCheckable(true);
    const int index = static_cast<int>(m_group->buttons().size());
    button->setProperty("segment", true);
    m_group->addButton(button, index);
    m_layout->addWidget(button);
    if (index == 0)
        button->setChecked(true);
    return button;
}

int Segments::current() const
{
    return m_group->checkedId();
}

void Segments::setCurrent(int index)
{
    m_group->button(index)->setChecked(true);
}

}  // namespace calibscope
