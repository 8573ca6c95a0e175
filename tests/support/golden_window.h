// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/golden_picture.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/window/main_window.h"

#include <QTemporaryDir>

#include <functional>
#include <string>

namespace calibscope::test {

/// The variant's theme, before widgets are made that take their colours from it once.
void applyTheme(const GoldenVariant& variant);

/// Shows a widget with so many pixels for each of its own, in light or dark, without anything that
/// blinks, and gives its picture.
[[nodiscard]] GoldenView takeWidget(QWidget& widget, const GoldenVariant& variant, QSize size);

/// A window with the real engine, to take pictures of. It stands on a screen of the variant's
/// scale. Files are opened as copies in a folder of its own.
class GoldenWindow
{
public:
    explicit GoldenWindow(const GoldenVariant& variant, QSize size = QSize(1000, 640));

    /// A copy of that file, opened under this name, and read until nothing is left to do.
    void open(const QString& path, const QString& name);
    /// The tensor of that name or path on that page, read.
    void show(const std::string& tensor, Workspace workspace);
    /// Waits until nothing is being read and nothing waits for it.
    void settle();
    /// The folder's name, another one each time, is left out of all texts.
    [[nodiscard]] GoldenView take();

    [[nodiscard]] Document& document() { return m_window.document(); }
    [[nodiscard]] MainWindow& window() { return m_window; }
    [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }

private:
    GoldenVariant m_variant;
    QSize m_size;
    QTemporaryDir m_folder;
    MainWindow m_window;
};

}  // namespace calibscope::test
