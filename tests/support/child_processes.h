#pragma once

#include <QDir>
#include <QFile>

#include <sys/types.h>

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

}  // namespace calibscope::test
