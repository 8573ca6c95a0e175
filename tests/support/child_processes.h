// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QFile>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstddef>

#include <vector>

namespace calibscope::test {

/// The processes that this one has started and that live.
inline std::vector<pid_t> childProcesses()
{
    std::vector<pid_t> found;
    const QDir threads("/proc/self/task");
    for (const QString& thread : threads.entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        QFile file(threads.filePath(thread) + "/children");
        if (!file.open(QIODevice::ReadOnly))
            continue;
        for (const QByteArray& id : file.readAll().split(' '))
            if (id.toInt() > 0)
                found.push_back(id.toInt());
    }
    return found;
}

/// Bytes that wait in the pipes from which a process of this machine reads.
inline std::size_t bytesWaitingFor(pid_t process)
{
    std::size_t bytes = 0;
    const QDir open(QStringLiteral("/proc/%1/fd").arg(process));
    for (const QString& descriptor : open.entryList(QDir::System | QDir::Files)) {
        const QByteArray path = open.filePath(descriptor).toLocal8Bit();
        struct stat link
        {
        };
        if (::lstat(path.constData(), &link) != 0 || (link.st_mode & S_IWUSR) != 0)
            continue;
        const int pipe = ::open(path.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        int waiting = 0;
        struct stat opened
        {
        };
        if (pipe >= 0 && ::fstat(pipe, &opened) == 0 && S_ISFIFO(opened.st_mode) &&
            ::ioctl(pipe, FIONREAD, &waiting) == 0)
            bytes += static_cast<std::size_t>(waiting);
        if (pipe >= 0)
            ::close(pipe);
    }
    return bytes;
}

}  // namespace calibscope::test
