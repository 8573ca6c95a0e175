#pragma once

#include <QDir>
#include <QFile>

#include <fcntl.h>
#include <sys/ioctl.h>
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

/// Bytes that wait in the pipe of a process's standard input.
inline std::size_t bytesWaitingFor(pid_t process)
{
    const QByteArray path = QStringLiteral("/proc/%1/fd/0").arg(process).toLocal8Bit();
    const int pipe = ::open(path.constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int bytes = 0;
    if (pipe < 0)
        return 0;
    if (::ioctl(pipe, FIONREAD, &bytes) != 0)
        bytes = 0;
    ::close(pipe);
    return static_cast<std::size_t>(bytes);
}

}  // namespace calibscope::test
