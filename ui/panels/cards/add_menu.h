// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/preset.h"
#include "core/tensor/tensor_info.h"

#include <QMenu>
#include <QString>

#include <functional>
#include <optional>
#include <string>

namespace calibscope {

/// Calibrators that can be added to those of a tensor: every calibrator with its defaults, the
/// programs in the user's folder, and every preset under the tool or vendor that it comes from.
class AddMenu : public QMenu
{
    Q_OBJECT

public:
    explicit AddMenu(QWidget* parent = nullptr);

    /// Weights get a scale per channel where a preset does not say otherwise.
    void setRole(Role role) { m_role = role; }

    /// Makes that file one of the user's programs, and chooses it. A message says why it can't.
    void takeProgram(const QString& path);

Q_SIGNALS:
    void chosen(const Choice& choice, const QString& title);

private:
    void addCalibrators();
    void addPrograms();
    void listPrograms(QMenu& menu);
    void askForProgram();
    void chooseProgram(const std::function<std::string()>& named);
    void addPresets();
    void addPreset(QMenu& menu, const Preset& preset);
    void addCalibrator(QMenu& menu, const Calibrator& calibrator);

    Role m_role = Role::Unknown;
};

}  // namespace calibscope
