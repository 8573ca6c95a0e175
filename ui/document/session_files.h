// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/session_document.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <functional>
#include <optional>
#include <string>

namespace calibscope {

/// Works on session files beside the UI thread, one after the other: a disk may sleep. What comes
/// of it is reported on the UI thread, unless this is gone by then.
class SessionFiles : public QObject
{
public:
    explicit SessionFiles(QObject* parent = nullptr);
    ~SessionFiles() override;

    struct Read
    {
        std::optional<SessionDocument> session;
        std::string sha256;  ///< of the file's content
        QString failure;     ///< a sentence; empty: there is a document
    };
    void read(const QString& path, std::function<void(const Read&)> told);

    struct Writing
    {
        /// What the file must still hold, if it is there: else somebody else has written it since,
        /// and it stays as it is. Nothing: it is replaced, whatever it holds.
        std::optional<std::string> expectedSha256 = {};
        bool isPrivate = false;  ///< nobody but the user may read it
    };
    struct Written
    {
        std::string sha256;     ///< of the file's content
        bool isOthers = false;  ///< it was not written: it is another's now
        QString failure;        ///< a sentence; empty: it was written, or is another's
    };
    void write(SessionDocument session, const QString& path, const Writing& writing,
               std::function<void(const Written&)> told);
    /// Any other work on files.
    void run(std::function<void()> work, std::function<void()> told = {});

    /// Waits for all of this, and tells what came of it.
    void finish();

private:
    QThreadPool m_pool;
};

}  // namespace calibscope
