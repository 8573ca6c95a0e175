// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <memory>

namespace calibscope {

/// How a run of `calib` ended.
struct ToolEnd
{
    enum class Kind {
        Exited,     ///< with `exitCode`
        Cancelled,  ///< as was asked for
        Died,       ///< it could not be started, or crashed
    };
    Kind kind = Kind::Exited;
    int exitCode = 0;
    QByteArray output;  ///< what it wrote to standard output
    QString said;       ///< sentences on standard error, a line each, without "calib: "
};

/// A sentence of calib without its hints at options, which it puts into parentheses: the window has
/// fields for them.
[[nodiscard]] QString withoutOptions(QString sentence);

/// The command line program at work, for what the engine may not do: it writes files where the user
/// wants them, and starts other programs. One run at a time.
class ToolRun : public QObject
{
    Q_OBJECT

public:
    /// The program is `calib` beside the application's own.
    explicit ToolRun(QObject* parent = nullptr);
    /// A run that is not over is ended.
    ~ToolRun() override;

    void setProgram(const QString& program) { m_program = program; }
    /// Requires that none is running.
    void start(const QStringList& arguments);
    /// finished() comes when it has ended, with all that it had started.
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_process != nullptr; }

Q_SIGNALS:
    /// Its progress, for people: a line that began with "progress: ".
    void progressed(const QString& what);
    void finished(const calibscope::ToolEnd& end);

private:
    void readErrors();
    void takeLine(const QString& line);
    void end(ToolEnd::Kind kind);

    QString m_program;
    std::unique_ptr<QProcess> m_process;
    QTimer m_patience;  ///< with a run that was asked to end
    bool m_isCancelled = false;
    QByteArray m_errors;  ///< an unfinished line
    QStringList m_said;
};

}  // namespace calibscope
