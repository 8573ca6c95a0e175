#include "ui/document/whole_file.h"

#include "core/base/error.h"

#include <QCoreApplication>
#include <QSaveFile>

namespace calibscope {

namespace {

/// What was written in part is tried again: only then does the system say why.
bool writeAll(QSaveFile& file, std::string_view bytes)
{
    while (!bytes.empty()) {
        const qint64 written = file.write(bytes.data(), static_cast<qint64>(bytes.size()));
        if (written <= 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

}  // namespace

void writeWhole(const QString& path, std::string_view bytes)
{
    QSaveFile file(path);
    // QSaveFile of Qt 6.4 does not notice that its buffer could not be written.
    const bool isWritten = file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) &&
                           writeAll(file, bytes) && file.commit();
    if (!isWritten)
        throw Error(Fault::Output,
                    QCoreApplication::translate("WholeFile", "%1 could not be written: %2")
                        .arg(path, file.errorString())
                        .toStdString());
}

}  // namespace calibscope
