// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine_router.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/theme/theme.h"
#include "ui/window/actions.h"
#include "ui/window/preferences.h"

#include <QDialog>
#include <QObject>
#include <QString>
#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QKeySequenceEdit;
class QLabel;
class QPushButton;
class QSpinBox;
class QTreeWidget;

namespace calibscope {

class Document;
struct MainWindowOptions;

/// All actions with their keys, and a field that gives the chosen one another key.
class ShortcutEditor : public QWidget
{
    Q_OBJECT

public:
    explicit ShortcutEditor(ShortcutChoice choice, QWidget* parent = nullptr);

    [[nodiscard]] const ShortcutChoice& choice() const { return m_choice; }
    void select(const QString& id);

Q_SIGNALS:
    void choiceChanged();

private:
    [[nodiscard]] QWidget* makeField();
    void fill();
    void filter(const QString& text);
    void showSelected();
    void assign(const QKeySequence& key);
    void assignStandard();
    void showAnswer(std::optional<QString> owner, const QKeySequence& key);
    [[nodiscard]] std::optional<QString> selected() const;

    ShortcutChoice m_choice;
    QTreeWidget* m_list;
    QKeySequenceEdit* m_key;
    QPushButton* m_none;
    QPushButton* m_standard;
    QLabel* m_answer;
};

/// The user's preferences. Each change holds at once.
class PreferencesDialog : public QDialog
{
    Q_OBJECT

public:
    struct Values
    {
        Theme theme = Theme::System;
        QString defaultRecipe = {};  ///< empty: the one that was used last
        DisplayChoices display = {};
        bool reopensLast = false;
        bool keepsResults = true;
        QString cacheFolder = {};  ///< empty: this run keeps no results, whatever is chosen
        ShortcutChoice shortcuts;
    };

    /// `isRemembered`: else it says that the settings are those of this run only.
    PreferencesDialog(const Values& values, bool isRemembered, QWidget* parent);

Q_SIGNALS:
    void themeChosen(calibscope::Theme theme);
    void defaultRecipeChosen(const QString& id);
    void displayChosen(const calibscope::DisplayChoices& display);
    void reopensLastChosen(bool reopens);
    void keepsResultsChosen(bool keeps);
    void shortcutsChosen(const calibscope::ShortcutChoice& shortcuts);

protected:
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] QWidget* makeGeneral(const Values& values, bool isRemembered);
    void addAppearance(QFormLayout& form, const Values& values);
    void addNumbers(QFormLayout& form);
    void addStart(QFormLayout& form, const Values& values);
    [[nodiscard]] QWidget* makeTheme(Theme chosen);
    [[nodiscard]] QWidget* makeLimits();
    [[nodiscard]] QWidget* makeDrag();
    [[nodiscard]] QWidget* makeRecipes(const QString& chosen);
    [[nodiscard]] QWidget* makeCache(const Values& values);
    [[nodiscard]] QWidget* makeShortcuts(const Values& values);
    void tellDisplay();
    void showSamples();
    void colorSwatches();

    DisplayChoices m_display;
    std::vector<std::pair<QLabel*, SqnrGrade>> m_swatches;
    QDoubleSpinBox* m_poor = nullptr;
    QDoubleSpinBox* m_good = nullptr;
    QSpinBox* m_digits = nullptr;
    QComboBox* m_powers = nullptr;
    QLabel* m_sample = nullptr;
};

/// Preferences: remembers them and puts them into effect.
class PreferencesController : public QObject
{
    Q_OBJECT

public:
    /// All must outlive it.
    PreferencesController(const MainWindowOptions& options, Document& document,
                          std::vector<EngineRouter*> engines, Actions& actions, QWidget& window);

    [[nodiscard]] Preferences& stored() { return m_stored; }
    /// Why results are not cached although they could be, as a sentence; empty: they may be.
    [[nodiscard]] const QString& cacheProblem() const { return m_cacheProblem; }
    [[nodiscard]] Theme theme() const { return m_theme; }
    [[nodiscard]] ShortcutChoice shortcuts() const { return ShortcutChoice(m_stored.shortcuts()); }
    void chooseTheme(Theme theme);
    /// Whatever is on the screen follows.
    void chooseDisplay(const DisplayChoices& display);
    /// Empty: the one that was used last.
    void chooseDefaultRecipe(const QString& id);
    /// Opens the dialog.
    void edit();

private:
    void applyCache();
    void applyShortcuts();
    void applyDisplay();
    void showAnew();

    Document& m_document;
    Preferences m_stored;
    Theme m_theme;
    QString m_cacheProblem;
    QString m_cacheFolder;  ///< empty: no results are cached
    std::vector<EngineRouter*> m_engines;
    Actions& m_actions;
    QWidget& m_window;
};

}  // namespace calibscope
