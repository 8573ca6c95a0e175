// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/deploy/field_grid.h"

#include "ui/theme/plain_text.h"

#include <QGridLayout>
#include <QLabel>

#include <utility>

namespace calibscope {

namespace {

constexpr int widthForTwo = 440;
constexpr int widthForFour = 980;

}  // namespace

FieldGrid::FieldGrid(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins({});
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(6);
}

void FieldGrid::add(const QString& label, QWidget* control)
{
    auto* text = new PlainLabel(label, this);
    text->setBuddy(control);
    m_fields.push_back({.label = text, .control = control});
    m_columns = 0;
    arrange();
}

void FieldGrid::clear()
{
    for (const Field& field : std::exchange(m_fields, {})) {
        delete field.label;
        delete field.control;
    }
}

void FieldGrid::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void FieldGrid::arrange()
{
    const int columns = width() >= widthForFour ? 4 : width() >= widthForTwo ? 2 : 1;
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (const Field& field : m_fields) {
        m_grid->removeWidget(field.label);
        m_grid->removeWidget(field.control);
    }
    for (int column = 0; column < 8; ++column)
        m_grid->setColumnStretch(column, column % 2 == 1 && column < 2 * columns ? 1 : 0);
    for (std::size_t index = 0; index < m_fields.size(); ++index) {
        const int row = static_cast<int>(index) / columns;
        const int column = 2 * (static_cast<int>(index) % columns);
        m_grid->addWidget(m_fields[index].label, row, column);
        m_grid->addWidget(m_fields[index].control, row, column + 1);
    }
}

}  // namespace calibscope
