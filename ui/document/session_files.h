#pragma once

#include "ui/document/session_document.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <optional>

namespace calibscope {

/// Works on session files beside the UI thread, one after the other: a disk may sleep. What comes
/// of it is told on the UI thread, unless this is gone by then.
class SessionFiles : public QObject
{
public:
    explicit SessionFiles(QObject* parent = nullptr);
    ~SessionFiles() override;

    struct Read
    {
        std::optional<SessionDocument> session;
        QString failure;  ///< a sentence; empty: there is a document
    };
    void read(const QString& path, std::function<void(const Read&)> told);
    /// `told` gets a sentence, empty if the file was written.
    void write(SessionDocument session, const QString& path,
               std::function<void(const QString& failure)> told);
    /// Any other work on files.
    void run(std::function<void()> work, std::function<void()> told = {});

    /// Waits for all of this, and tells what came of it.
    void finish();

private:
    QThreadPool m_pool;
};

}  // namespace calibscope
