// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/cards/add_menu.h"

#include "core/base/error.h"
#include "core/calibrators/own_program.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/own_files.h"
#include "ui/theme/plain_text.h"

#include <QFileDialog>

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
    // Reading the presets takes as long as a page.
    connect(this, &QMenu::aboutToShow, this, [this] {
        if (!isEmpty())
            return;
        addCalibrators();
        addPrograms();
        addPresets();
    });
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

void AddMenu::addPrograms()
{
    QMenu* menu = addMenu(tr("Programs of your own"));
    menu->setObjectName(QStringLiteral("programs"));
    // The folder may have changed.
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { listPrograms(*menu); });
}

void AddMenu::listPrograms(QMenu& menu)
{
    menu.clear();
    for (const std::string& name : ownPrograms())
        connect(menu.addAction(menuText(QString::fromStdString(name))), &QAction::triggered, this,
                [this, name] { chooseProgram([&name] { return name; }); });
    menu.addSeparator();
    connect(menu.addAction(tr("Add a program...")), &QAction::triggered, this,
            &AddMenu::askForProgram);
}

void AddMenu::askForProgram()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Program of your own"));
    if (path.isEmpty())
        return;
    const QString question =
        tr("Add %1 to the programs that Calibscope may run? It runs with your rights whenever one "
           "of its cards is computed, also of a session that names it. Add only what you trust.")
            .arg(path);
    if (ask(this, QMessageBox::Question, tr("Add the program?"), question,
            QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Cancel,
            QStringLiteral("programQuestion")) == QMessageBox::Yes)
        takeProgram(path);
}

void AddMenu::takeProgram(const QString& path)
{
    chooseProgram([&path] { return addOwnProgram(path.toStdString()); });
}

void AddMenu::chooseProgram(const std::function<std::string()>& named)
{
    try {
        const std::string name = named();
        Q_EMIT chosen(withProgramFacts(makeChoice(programId, {{"file", name}},
                                                  SchemeKind::SymmetricRestricted,
                                                  defaultGranularity(m_role))),
                      QString::fromStdString(name));
    } catch (const Error& error) {
        ask(this, QMessageBox::Warning, tr("The program can't be chosen"),
            QString::fromStdString(error.what()), QMessageBox::Ok, QMessageBox::Ok,
            QStringLiteral("programProblem"));
    }
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
