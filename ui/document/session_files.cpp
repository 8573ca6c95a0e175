// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/session_files.h"

#include "core/base/digest.h"
#include "core/base/error.h"
#include "ui/document/session_document.h"

#include <QCoreApplication>
#include <QEvent>
#include <QFileInfo>
#include <QMetaObject>

#include <exception>
#include <memory>
#include <utility>

namespace calibscope {

SessionFiles::SessionFiles(QObject* parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

SessionFiles::~SessionFiles()
{
    m_pool.waitForDone();
}

void SessionFiles::run(std::function<void()> work, std::function<void()> told)
{
    m_pool.start([this, work = std::move(work), told = std::move(told)] {
        work();
        if (told)
            QMetaObject::invokeMethod(this, told, Qt::QueuedConnection);
    });
}

void SessionFiles::read(const QString& path, std::function<void(const Read&)> told)
{
    const auto found = std::make_shared<Read>();
    run(
        [found, path] {
            try {
                const std::string text = sessionText(path);
                found->session =
                    sessionFromJson(text, QFileInfo(path).absoluteFilePath().toStdString());
                found->sha256 = sha256(text);
            } catch (const std::exception& error) {
                found->failure = QString::fromUtf8(error.what());
            }
        },
        [found, told = std::move(told)] { told(*found); });
}

namespace {

/// The file is there and holds something else. What can't be read is not ours to replace either.
bool isOthersNow(const QString& path, const std::string& expectedSha256)
{
    const QFileInfo file(path);
    if (!file.exists() && !file.isSymLink())
        return false;
    try {
        return sha256(sessionText(path)) != expectedSha256;
    } catch (const Error&) {
        return true;
    }
}

}  // namespace

void SessionFiles::write(SessionDocument session, const QString& path, const Writing& writing,
                         std::function<void(const Written&)> told)
{
    const auto written = std::make_shared<Written>();
    run(
        [written, path, writing, session = std::move(session)] {
            try {
                if (writing.expectedSha256 && isOthersNow(path, *writing.expectedSha256)) {
                    written->isOthers = true;
                    return;
                }
                const std::string text =
                    sessionJson(session, QFileInfo(path).absolutePath().toStdString());
                constexpr unsigned ownersAlone = 0600;
                writeWhole(path, text,
                           writing.isPrivate ? WholeFileOptions{.permissions = ownersAlone}
                                             : WholeFileOptions{});
                written->sha256 = sha256(text);
            } catch (const std::exception& error) {
                written->failure = QString::fromUtf8(error.what());
            }
        },
        [written, told = std::move(told)] { told(*written); });
}

void SessionFiles::finish()
{
    m_pool.waitForDone();
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

}  // namespace calibscope
