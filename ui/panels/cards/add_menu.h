// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recipes/preset.h"
#include "core/tensor/tensor_info.h"

#include <QMenu>
#include <QString>

#include <optional>

namespace calibscope {

/// Calibrators that can be added to those of a tensor: every calibrator with its defaults, and
/// every preset under the tool or vendor that it comes from.
class AddMenu : public QMenu
{
    Q_OBJECT

public:
    explicit AddMenu(QWidget* parent = nullptr);

    /// Weights get a scale per channel where a preset does not say otherwise.
    void setRole(Role role) { m_role = role; }

Q_SIGNALS:
    void chosen(const Choice& choice, const QString& title);

private:
    void addCalibrators();
    void addPresets();
    void addPreset(QMenu& menu, const Preset& preset);
    void addCalibrator(QMenu& menu, const Calibrator& calibrator);

    Role m_role = Role::Unknown;
};

}  // namespace calibscope
