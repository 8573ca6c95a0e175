#include "ui/document/session_files.h"

#include "ui/document/session_document.h"

#include <QCoreApplication>
#include <QEvent>
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
                found->session = readSession(path);
            } catch (const std::exception& error) {
                found->failure = QString::fromUtf8(error.what());
            }
        },
        [found, told = std::move(told)] { told(*found); });
}

void SessionFiles::write(SessionDocument session, const QString& path,
                         std::function<void(const QString&)> told)
{
    const auto failure = std::make_shared<QString>();
    run(
        [failure, path, session = std::move(session)] {
            try {
                writeSession(session, path);
            } catch (const std::exception& error) {
                *failure = QString::fromUtf8(error.what());
            }
        },
        [failure, told = std::move(told)] { told(*failure); });
}

void SessionFiles::finish()
{
    m_pool.waitForDone();
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
}

}  // namespace calibscope
