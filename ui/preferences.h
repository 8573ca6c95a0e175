#pragma once

#include "ui/theme/theme.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>

#include <memory>

namespace calibscope {

/// What is remembered from one run to the next, in an INI file of the user's configuration folder.
class Preferences
{
public:
    enum class Keeping {
        Remember,
        Forget,  ///< starts with defaults, neither reads nor writes the file
    };

    explicit Preferences(Keeping keeping);

    /// Opened dumps, newest first, at most recentFileLimit.
    [[nodiscard]] const QStringList& recentFiles() const { return m_recentFiles; }
    void addRecentFile(const QString& path);
    void clearRecentFiles();

    [[nodiscard]] Theme theme() const { return m_theme; }
    void setTheme(Theme theme);
    [[nodiscard]] QString recipe() const { return m_recipe; }  ///< empty: the first one
    void setRecipe(const QString& id);

    /// Geometry and docks of the main window, as Qt packs them; empty at the first start.
    [[nodiscard]] QByteArray windowGeometry() const;
    [[nodiscard]] QByteArray windowState() const;
    void setWindow(const QByteArray& geometry, const QByteArray& state);

    static constexpr int recentFileLimit = 12;

private:
    void write(const QString& key, const QVariant& value);

    std::unique_ptr<QSettings> m_file;  ///< none: nothing is remembered
    QStringList m_recentFiles;
    Theme m_theme = Theme::System;
    QString m_recipe;
};

}  // namespace calibscope
