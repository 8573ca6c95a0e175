// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/deploy/run_form.h"

#include "core/base/number_text.h"
#include "ui/document/deployment.h"
#include "ui/document/edits.h"

#include <QComboBox>
#include <QLineEdit>

#include <algorithm>
#include <cmath>
#include <utility>

namespace calibscope {

RunForm::RunForm(Deployment& deployment, QWidget* parent)
    : FieldGrid(parent), m_deployment(deployment)
{}

void RunForm::make(const protocol::ModelPorts& ports)
{
    m_shown = ports;
    m_inputs.clear();
    m_output = nullptr;
    clear();
    for (const std::string& name : ports.unrecorded) {
        auto* field = new QLineEdit(this);
        field->setPlaceholderText(tr("not recorded: a number"));
        field->setToolTip(tr("The number for all elements of this input, as 0 of a state or 16000 "
                             "of a sample rate; nothing is compared with the recording then"));
        connect(field, &QLineEdit::editingFinished, this,
                [this, name, field] { take(name, field->text()); });
        add(tr("Input %1").arg(QString::fromStdString(name)), field);
        m_inputs[name] = field;
    }
    if (ports.outputs.size() < 2)
        return;
    m_output = new QComboBox(this);
    m_output->setToolTip(tr("Which output is compared at the end, on page Improve"));
    m_output->addItem(tr("all"));
    for (const std::string& name : ports.outputs)
        m_output->addItem(QString::fromStdString(name), QString::fromStdString(name));
    connect(m_output, &QComboBox::activated, this, [this] {
        ModelRun run = m_deployment.document().workbench().run;
        run.end = m_output->currentData().toString().toStdString();
        edits::setModelRun(m_deployment.document(), run);
    });
    add(tr("Measured output"), m_output);
}

/// What is no number changes nothing.
void RunForm::take(const std::string& input, const QString& text)
{
    ModelRun run = m_deployment.document().workbench().run;
    const std::string number = text.trimmed().toStdString();
    const std::optional<double> value = parseNumber(number);
    if (value && std::isfinite(*value))
        run.feeds[input] = *value;
    else if (number.empty())
        run.feeds.erase(input);
    m_inputs.at(input)->setModified(false);
    if (run != m_deployment.document().workbench().run)
        edits::setModelRun(m_deployment.document(), run);
    else
        refresh();
}

void RunForm::refresh()
{
    const protocol::ModelPorts ports = m_deployment.ports().value_or(protocol::ModelPorts());
    if (ports != m_shown)
        make(ports);
    const ModelRun& run = m_deployment.document().workbench().run;
    for (const auto& [name, field] : m_inputs) {
        if (field->isModified())
            continue;  // is being typed
        const auto value = run.feeds.find(name);
        field->setText(value == run.feeds.end()
                           ? QString()
                           : QString::fromStdString(numberText(value->second)));
    }
    if (m_output != nullptr)
        m_output->setCurrentIndex(std::max(0, m_output->findData(QString::fromStdString(run.end))));
    setVisible(!isEmpty());
}

void RunForm::edit()
{
    for (const std::string& name : m_shown.unrecorded)
        if (QLineEdit* field = input(name); field->text().isEmpty())
            return field->setFocus(Qt::ShortcutFocusReason);
    if (m_output != nullptr)
        m_output->setFocus(Qt::ShortcutFocusReason);
}

QLineEdit* RunForm::input(const std::string& name) const
{
    const auto found = m_inputs.find(name);
    return found == m_inputs.end() ? nullptr : found->second;
}

}  // namespace calibscope
