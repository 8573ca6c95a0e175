// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"
#include "ui/window/preferences.h"
#include "ui/window/shortcut_choice.h"

#include <QDialog>
#include <QWidget>

#include <optional>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QKeySequenceEdit;
class QLabel;
class QPushButton;
class QSpinBox;
class QTreeWidget;

namespace calibscope {

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

    DisplayChoices m_display;
    QDoubleSpinBox* m_poor = nullptr;
    QDoubleSpinBox* m_good = nullptr;
    QSpinBox* m_digits = nullptr;
    QComboBox* m_powers = nullptr;
    QLabel* m_sample = nullptr;
};

}  // namespace calibscope
