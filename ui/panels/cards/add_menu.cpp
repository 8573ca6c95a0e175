// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/add_menu.h"

#include "core/calibrators/calibrator.h"
#include "core/recipes/make_choice.h"
#include "ui/theme/plain_text.h"

#include <iterator>
#include <map>
#include <string>

namespace calibscope {

namespace {

QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), std::ssize(text));
}

}  // namespace

AddMenu::AddMenu(QWidget* parent) : QMenu(parent)
{
    setToolTipsVisible(true);
    addCalibrators();
    addPresets();
}

void AddMenu::addCalibrators()
{
    addSection(tr("Calibrators, with their defaults"));
    for (const Calibrator& algorithm : calibrators())
        addCalibrator(*this, algorithm);
}

void AddMenu::addCalibrator(QMenu& menu, const Calibrator& algorithm)
{
    const QString title = fromUtf8(algorithm.title);
    QAction* action = menu.addAction(menuText(title));
    action->setToolTip(fromUtf8(algorithm.summary));
    connect(action, &QAction::triggered, this, [this, id = algorithm.id, title] {
        Q_EMIT chosen(
            makeChoice(id, {}, SchemeKind::SymmetricRestricted, defaultGranularity(m_role)), title);
    });
}

void AddMenu::addPresets()
{
    addSection(tr("Presets"));
    std::map<std::string, QMenu*> menus;  // by tool
    for (const Preset& preset : presets()) {
        QMenu*& menu = menus[preset.tool];
        if (menu == nullptr) {
            menu = addMenu(menuText(QString::fromStdString(preset.tool)));
            menu->setToolTipsVisible(true);
        }
        addPreset(*menu, preset);
    }
}

void AddMenu::addPreset(QMenu& menu, const Preset& preset)
{
    const QString title = QString::fromStdString(preset.title);
    QAction* action = menu.addAction(menuText(title));
    action->setToolTip(
        tr("%1\nSource: %2")
            .arg(QString::fromStdString(preset.id), QString::fromStdString(preset.source)));
    connect(action, &QAction::triggered, this, [this, &preset, title] {
        Q_EMIT chosen(
            makeChoice(preset, {}, SchemeKind::SymmetricRestricted, defaultGranularity(m_role)),
            title);
    });
}

}  // namespace calibscope
