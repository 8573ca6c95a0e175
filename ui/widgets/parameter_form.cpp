#include "ui/widgets/parameter_form.h"

#include "ui/theme/icons.h"
#include "ui/widgets/parameter_control.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <stdexcept>

namespace calibscope {

ParameterForm::ParameterForm(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins({});
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(0, 2);
    m_grid->setColumnStretch(1, 3);
}

void ParameterForm::setParameters(std::span<const Parameter> parameters)
{
    const bool isSame = std::ranges::equal(
                            m_rows, parameters, {}, [](const Row& row) { return row.parameter.id; },
                            &Parameter::id) &&
                        std::ranges::equal(
                            m_rows, parameters, {},
                            [](const Row& row) { return row.parameter.label; }, &Parameter::label);
    if (isSame)
        return;
    for (const Row& row : m_rows) {
        // Not at once: the control may be telling of its own change.
        row.label->deleteLater();
        row.control->deleteLater();
        row.reset->deleteLater();
        for (QWidget* widget : std::initializer_list<QWidget*>{row.label, row.control, row.reset}) {
            m_grid->removeWidget(widget);
            widget->hide();
        }
    }
    m_rows.clear();
    for (const Parameter& parameter : parameters)
        addRow(parameter);
    drawIcons();
}

void ParameterForm::addRow(const Parameter& parameter)
{
    const int place = static_cast<int>(m_rows.size());
    Row row{.parameter = parameter};
    row.label = new QLabel(QString::fromStdString(parameter.label), this);
    row.label->setToolTip(parameterToolTip(parameter));
    row.control = new ParameterControl(parameter, this);
    row.label->setBuddy(row.control);
    row.reset = new QToolButton(this);
    row.reset->setAutoRaise(true);
    QSizePolicy keepsPlace = row.reset->sizePolicy();
    keepsPlace.setRetainSizeWhenHidden(true);
    row.reset->setSizePolicy(keepsPlace);
    row.reset->hide();
    m_grid->addWidget(row.label, place, 0);
    m_grid->addWidget(row.control, place, 1);
    m_grid->addWidget(row.reset, place, 2);
    connect(row.control, &ParameterControl::edited, this,
            [this, id = parameter.id](const QString& value) {
                Q_EMIT edited(id, value.toStdString());
            });
    m_rows.push_back(std::move(row));
}

void ParameterForm::setValues(const ValueOf& now, const ValueOf& first)
{
    for (const Row& row : m_rows) {
        const std::string value = now(row.parameter.id);
        const std::string before = first(row.parameter.id);
        const QString shown = QString::fromStdString(value);
        if (row.control->value() != shown)
            row.control->setValue(shown);
        const bool isChanged = value != before;
        QFont font = this->font();
        font.setBold(isChanged);
        row.label->setFont(font);
        row.reset->setVisible(isChanged);
        row.reset->setToolTip(tr("Changed: back to %1").arg(QString::fromStdString(before)));
        row.reset->setAccessibleName(
            tr("Reset %1").arg(QString::fromStdString(row.parameter.label)));
        row.reset->disconnect(this);
        connect(row.reset, &QToolButton::clicked, this,
                [this, id = row.parameter.id, before] { Q_EMIT edited(id, before); });
    }
}

const ParameterForm::Row& ParameterForm::row(const std::string& id) const
{
    const auto found =
        std::ranges::find(m_rows, id, [](const Row& row) { return row.parameter.id; });
    if (found == m_rows.end())
        throw std::invalid_argument("the form has no parameter " + id);
    return *found;
}

ParameterControl& ParameterForm::control(const std::string& id) const
{
    return *row(id).control;
}

bool ParameterForm::isMarked(const std::string& id) const
{
    return !row(id).reset->isHidden();
}

void ParameterForm::drawIcons()
{
    for (const Row& row : m_rows)
        row.reset->setIcon(resetIcon(palette().color(QPalette::Text)));
}

void ParameterForm::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        drawIcons();
    QWidget::changeEvent(event);
}

}  // namespace calibscope
