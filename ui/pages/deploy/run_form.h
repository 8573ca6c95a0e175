// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "ui/pages/deploy/field_grid.h"

#include <QString>

#include <map>
#include <string>

class QComboBox;
class QLineEdit;

namespace calibscope {

class Deployment;

/// A number for each input of the model that was not recorded, and which of several outputs is
/// measured. Empty for a model with neither.
class RunForm : public FieldGrid
{
    Q_OBJECT

public:
    explicit RunForm(Deployment& deployment, QWidget* parent = nullptr);

    void refresh();
    /// The keys go to the first input without a number, else to the output.
    void edit();
    [[nodiscard]] QLineEdit* input(const std::string& name) const;  ///< nullptr: was recorded
    [[nodiscard]] QComboBox* output() const { return m_output; }    ///< nullptr: there is one

private:
    void make(const protocol::ModelPorts& ports);
    void take(const std::string& input, const QString& text);

    Deployment& m_deployment;
    protocol::ModelPorts m_shown;
    std::map<std::string, QLineEdit*> m_inputs;
    QComboBox* m_output = nullptr;
};

}  // namespace calibscope
