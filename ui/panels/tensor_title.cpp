// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tensor_title.h"

#include "ui/widgets/elided_label.h"

#include <QHBoxLayout>

namespace calibscope {

TensorTitle::TensorTitle(QWidget* parent)
    : QWidget(parent),
      m_name(new ElidedLabel(Qt::ElideMiddle, this)),
      m_facts(new ElidedLabel(Qt::ElideRight, this))
{
    QFont large = m_name->font();
    large.setPointSizeF(large.pointSizeF() * 1.4);
    large.setBold(true);
    m_name->setFont(large);
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_facts->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // gives way to the name
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(20);
    layout->addWidget(m_name);
    layout->addWidget(m_facts, 1);
}

void TensorTitle::show(const QString& name, const QString& facts)
{
    m_name->setText(name);
    m_facts->setText(facts);
}

}  // namespace calibscope
