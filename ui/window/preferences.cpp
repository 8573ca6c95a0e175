// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences.h"

#include "core/base/error.h"
#include "ui/window/actions.h"

#include <QCoreApplication>

#include <algorithm>

namespace calibscope {

namespace {

/// Raised when a key changes its meaning; a file of another version is not read.
constexpr int settingsVersion = 1;

constexpr const char* versionKey = "version";
constexpr const char* recentKey = "recent";
constexpr const char* themeKey = "theme";
constexpr const char* recipeKey = "recipe";
constexpr const char* defaultRecipeKey = "default-recipe";
constexpr const char* fontKey = "display/font-points";
constexpr const char* poorKey = "display/sqnr-poor";
constexpr const char* goodKey = "display/sqnr-good";
constexpr const char* digitsKey = "display/digits";
constexpr const char* powersKey = "display/plain-powers";
constexpr const char* zoomsKey = "display/drag-zooms";
constexpr const char* workspaceKey = "workspace";
constexpr const char* reopenKey = "reopen-last";
constexpr const char* keepsResultsKey = "keep-results";
constexpr const char* shortcutsGroup = "shortcuts";
constexpr const char* machinesKey = "machines";
constexpr const char* commandsGroup = "machine-commands";
constexpr const char* geometryKey = "window/geometry";
constexpr const char* columnsKey = "list/columns";
constexpr const char* treeKey = "list/tree";
constexpr const char* reportKey = "report";
constexpr const char* runnerKey = "runner";
constexpr const char* stateKey = "window/state";

/// A word that an older or newer version wrote is no reason to fail.
Theme themeOrSystem(const QString& text)
{
    try {
        return parseTheme(text);
    } catch (const Error&) {
        return Theme::System;
    }
}

/// A number that the file has, if it makes sense.
double numberIn(const QSettings& file, const char* key, double standard, double low, double high)
{
    bool isNumber = false;
    const double value = file.value(QLatin1String(key)).toDouble(&isNumber);
    return isNumber && value >= low && value <= high ? value : standard;
}

DisplayChoices displayIn(const QSettings& file)
{
    using Choices = DisplayChoices;
    const Choices standard;
    const auto whole = [&file](const char* key, int usual, int low, int high) {
        return static_cast<int>(numberIn(file, key, usual, low, high));
    };
    Choices read;
    read.fontPoints = whole(fontKey, standard.fontPoints, leastFontPoints, mostFontPoints);
    read.limits.poor = numberIn(file, poorKey, standard.limits.poor, 0.0, mostSqnrLimit);
    read.limits.good = std::max(read.limits.poor,
                                numberIn(file, goodKey, standard.limits.good, 0.0, mostSqnrLimit));
    read.numbers.digits = whole(digitsKey, standard.numbers.digits, 2, 9);
    read.numbers.plainPowers = whole(powersKey, standard.numbers.plainPowers, 3, 12);
    read.drag = file.value(QLatin1String(zoomsKey)).toBool() ? PlotDrag::Zoom : PlotDrag::Move;
    return read;
}

}  // namespace

Preferences::Preferences(Keeping keeping)
{
    if (keeping == Keeping::Forget)
        return;
    m_file = std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                         QCoreApplication::organizationName(),
                                         QCoreApplication::applicationName());
    if (m_file->value(versionKey, settingsVersion).toInt() != settingsVersion)
        m_file->clear();
    m_file->setValue(versionKey, settingsVersion);
    m_recentFiles = m_file->value(recentKey).toStringList().mid(0, recentFileLimit);
    m_theme = themeOrSystem(m_file->value(themeKey).toString());
    m_recipe = m_file->value(recipeKey).toString();
    m_defaultRecipe = m_file->value(defaultRecipeKey).toString();
    m_display = displayIn(*m_file);
    m_workspace = m_file->value(workspaceKey).toString();
    m_reopensLast = m_file->value(reopenKey, false).toBool();
    m_keepsResults = m_file->value(keepsResultsKey, true).toBool();
    m_machines.allowed = m_file->value(machinesKey).toStringList();
    m_file->beginGroup(commandsGroup);
    for (const QString& machine : m_file->childKeys())
        m_machines.commands[machine] = m_file->value(machine).toString();
    m_file->endGroup();
    m_file->beginGroup(shortcutsGroup);
    for (const QString& key : m_file->childKeys())
        m_shortcuts[key] = parseKeys(m_file->value(key).toString());
    m_file->endGroup();
}

void Preferences::addRecentFile(const QString& path)
{
    m_recentFiles.removeAll(path);
    m_recentFiles.prepend(path);
    m_recentFiles = m_recentFiles.mid(0, recentFileLimit);
    write(recentKey, m_recentFiles);
}

void Preferences::clearRecentFiles()
{
    m_recentFiles.clear();
    write(recentKey, m_recentFiles);
}

void Preferences::setTheme(Theme theme)
{
    m_theme = theme;
    write(themeKey, themeText(theme));
}

void Preferences::setRecipe(const QString& id)
{
    m_recipe = id;
    write(recipeKey, id);
}

void Preferences::setDefaultRecipe(const QString& id)
{
    m_defaultRecipe = id;
    write(defaultRecipeKey, id);
}

void Preferences::setDisplay(const DisplayChoices& display)
{
    m_display = display;
    write(fontKey, display.fontPoints);
    write(poorKey, display.limits.poor);
    write(goodKey, display.limits.good);
    write(digitsKey, display.numbers.digits);
    write(powersKey, display.numbers.plainPowers);
    write(zoomsKey, display.drag == PlotDrag::Zoom);
}

void Preferences::setWorkspace(const QString& id)
{
    m_workspace = id;
    write(workspaceKey, id);
}

void Preferences::setShortcuts(const Shortcuts& shortcuts)
{
    m_shortcuts = shortcuts;
    if (!m_file)
        return;
    m_file->beginGroup(shortcutsGroup);
    m_file->remove(QString());
    for (const auto& [key, sequences] : m_shortcuts)
        m_file->setValue(key, QKeySequence::listToString(sequences));
    m_file->endGroup();
}

void Preferences::setReopensLast(bool reopens)
{
    m_reopensLast = reopens;
    write(reopenKey, reopens);
}

void Preferences::setKeepsResults(bool keeps)
{
    m_keepsResults = keeps;
    write(keepsResultsKey, keeps);
}

void Preferences::setMachines(const KnownMachines& machines)
{
    m_machines = machines;
    write(machinesKey, m_machines.allowed);
    if (!m_file)
        return;
    m_file->beginGroup(commandsGroup);
    m_file->remove(QString());
    for (auto command = machines.commands.cbegin(); command != machines.commands.cend(); ++command)
        m_file->setValue(command.key(), command.value());
    m_file->endGroup();
}

QByteArray Preferences::windowGeometry() const
{
    return m_file ? m_file->value(geometryKey).toByteArray() : QByteArray();
}

QByteArray Preferences::windowState() const
{
    return m_file ? m_file->value(stateKey).toByteArray() : QByteArray();
}

void Preferences::setWindow(const QByteArray& geometry, const QByteArray& state)
{
    write(geometryKey, geometry);
    write(stateKey, state);
}

QString Preferences::reportChoices() const
{
    return m_file ? m_file->value(reportKey).toString() : QString();
}

void Preferences::setReportChoices(const QString& choices)
{
    write(reportKey, choices);
}

QString Preferences::runner() const
{
    return m_file ? m_file->value(runnerKey).toString() : QString();
}

void Preferences::setRunner(const QString& command)
{
    if (command != runner())
        write(runnerKey, command);
}

QByteArray Preferences::listColumns() const
{
    return m_file ? m_file->value(columnsKey).toByteArray() : QByteArray();
}

void Preferences::setListColumns(const QByteArray& columns)
{
    write(columnsKey, columns);
}

bool Preferences::isListTree() const
{
    return m_file && m_file->value(treeKey, false).toBool();
}

void Preferences::setListTree(bool isTree)
{
    write(treeKey, isTree);
}

void Preferences::write(const QString& key, const QVariant& value)
{
    if (m_file)
        m_file->setValue(key, value);
}

}  // namespace calibscope
