// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/session_keeper.h"
#include "ui/queries/tool_run.h"

#include <QDateTime>
#include <QDialog>
#include <QObject>
#include <QString>
#include <QTemporaryDir>

#include <functional>
#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace calibscope {

class ElidedLabel;
class MessageController;

/// A format of another tool that `calib export` writes.
struct ScaleFormat
{
    QString id;
    QString title;
    QString suffix;
    QString holds;  ///< what a value in it is, and what it cannot carry
};

/// Those of `calib describe --scale-formats` that are written; empty: the text is not of it.
[[nodiscard]] std::vector<ScaleFormat> scaleFormats(const QByteArray& json);

/// Asks in which format, and by which model's names.
class ScaleExportDialog : public QDialog
{
    Q_OBJECT

public:
    ScaleExportDialog(std::vector<ScaleFormat> formats, const QString& decisions,
                      const QString& model, QWidget* parent);

    [[nodiscard]] const ScaleFormat& format() const;
    /// Empty: names are the dump's.
    [[nodiscard]] const QString& model() const { return m_modelPath; }
    [[nodiscard]] QComboBox& formats() const { return *m_format; }
    void setModel(const QString& path);
    /// What writing this format would report is not known yet.
    void setTrying();
    /// What writing this format would report, in sentences; empty: nothing.
    /// A format that can't be written can't be exported; until the user has chosen one the next is
    /// tried.
    void setReport(const QString& report, bool canWrite);
    [[nodiscard]] QString report() const;

Q_SIGNALS:
    void changed();  ///< format or model

private:
    void askForModel();
    void proposeNext();

    std::vector<ScaleFormat> m_formats;
    QComboBox* m_format;
    QLabel* m_holds;
    QPlainTextEdit* m_report;
    ElidedLabel* m_model;
    QPushButton* m_export;
    QString m_modelPath;
    bool m_isProposing = true;  ///< the first format that can be written
};

/// Writes what was decided on the shown dump as a file of another tool: `calib export` at work.
class ScaleExport : public QObject
{
    Q_OBJECT

public:
    /// Where the recorded model is; empty: not known.
    using ModelOf = std::function<QString()>;

    /// All must outlive this.
    ScaleExport(Document& document, SessionKeeper& keeper, MessageController& messages,
                ModelOf model, QWidget& window);

    /// Opens the dialog; its file is asked for when it is accepted.
    void ask();
    void write(const ScaleFormat& format, const QString& model, const QString& path);

private:
    void takeFormats(const ToolEnd& end);
    void takeWritten(const ToolEnd& end);
    void preview(ScaleExportDialog& dialog);
    /// Runs `calib export` on the session as it is.
    void run(ToolRun& tool, const QString& format, const QString& model, const QStringList& more);
    [[nodiscard]] QStringList sentencesOf(const ToolEnd& end) const;

    Document& m_document;
    SessionKeeper& m_keeper;
    MessageController& m_messages;
    ModelOf m_model;
    QWidget& m_window;
    ToolRun m_tool;
    std::unique_ptr<ToolRun> m_preview;  ///< while a dialog is open
    QTemporaryDir m_folder;
    QString m_path;  ///< of the file that is being written; empty: formats are asked for
    QDateTime m_modifiedBefore;  ///< that file; invalid: there was none
};

}  // namespace calibscope
