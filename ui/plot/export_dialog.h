// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/picture.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace calibscope {

class PlotContent;

/// Asks how a picture of a plot is to look, shows it, and writes it to a file.
class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    /// `settings`: as it is on screen. The content has to outlive the dialog.
    ExportDialog(const PlotContent& content, const PictureSettings& settings,
                 QWidget* parent = nullptr);

    /// The choices.
    [[nodiscard]] PictureSettings settings() const;
    /// "png", "svg" or "pdf".
    [[nodiscard]] QString format() const;
    /// Writes the picture; a problem is reported in the dialog. False: it was not written.
    bool save(const QString& path);
    /// The file that was asked for and written; empty: none.
    [[nodiscard]] const QString& written() const { return m_written; }

private:
    QWidget* makeForm();
    void updatePreview();
    void askForFile();

    const PlotContent& m_content;
    PictureSettings m_settings;
    QString m_written;
    QComboBox* m_format = nullptr;
    QComboBox* m_theme = nullptr;
    QSpinBox* m_width = nullptr;
    QSpinBox* m_height = nullptr;
    QSpinBox* m_scale = nullptr;
    QCheckBox* m_footer = nullptr;
    QLabel* m_preview = nullptr;
    QLabel* m_problem = nullptr;
};

}  // namespace calibscope
