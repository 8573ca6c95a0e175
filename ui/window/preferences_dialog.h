#pragma once

#include "ui/theme/theme.h"
#include "ui/window/actions/shortcut_choice.h"

#include <QDialog>

class QCheckBox;
class QComboBox;

namespace calibscope {

class ShortcutEditor;

/// What the user may set once and for all. Each change holds at once.
class PreferencesDialog : public QDialog
{
    Q_OBJECT

public:
    struct Values
    {
        Theme theme = Theme::System;
        bool reopensLast = false;
        bool keepsResults = true;
        QString cacheFolder = {};  ///< empty: this run keeps no results, whatever is chosen
        ShortcutChoice shortcuts;
    };

    /// `isRemembered`: else it says that the settings are those of this run only.
    PreferencesDialog(const Values& values, bool isRemembered, QWidget* parent);

Q_SIGNALS:
    void themeChosen(calibscope::Theme theme);
    void reopensLastChosen(bool reopens);
    void keepsResultsChosen(bool keeps);
    void shortcutsChosen(const calibscope::ShortcutChoice& shortcuts);

private:
    [[nodiscard]] QWidget* makeGeneral(const Values& values, bool isRemembered);
    [[nodiscard]] QWidget* makeCache(const Values& values);
    [[nodiscard]] QWidget* makeShortcuts(const Values& values);
};

}  // namespace calibscope
