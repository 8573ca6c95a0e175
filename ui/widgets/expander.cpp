#include "ui/widgets/expander.h"

#include <QToolButton>
#include <QVBoxLayout>

namespace calibscope {

Expander::Expander(const QString& title, QWidget* parent)
    : QWidget(parent), m_button(new QToolButton(this)), m_layout(new QVBoxLayout(this))
{
    m_button->setText(title);
    m_button->setAutoRaise(true);
    m_button->setCheckable(true);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setArrowType(Qt::RightArrow);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_layout->setContentsMargins({});
    m_layout->setSpacing(4);
    m_layout->addWidget(m_button, 0, Qt::AlignLeft);
    connect(m_button, &QToolButton::toggled, this, [this](bool isOpen) {
        m_button->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
        if (m_content)
            m_content->setVisible(isOpen);
        Q_EMIT toggled(isOpen);
    });
}

void Expander::setTitle(const QString& title)
{
    m_button->setText(title);
}

void Expander::setContent(QWidget* content)
{
    m_content = content;
    m_layout->addWidget(content);
    content->setVisible(isOpen());
}

void Expander::setOpen(bool isOpen)
{
    m_button->setChecked(isOpen);
}

bool Expander::isOpen() const
{
    return m_button->isChecked();
}

}  // namespace calibscope
