#include "ui/report/file_digest.h"

#include <QCryptographicHash>
#include <QFile>

namespace calibscope {

std::string fileDigest(const std::string& path, const std::function<void()>& step)
{
    constexpr qint64 partBytes = 1 << 20;
    QFile file(QFile::decodeName(path.c_str()));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    while (!file.atEnd()) {
        step();
        const QByteArray part = file.read(partBytes);
        if (part.isEmpty())
            return {};
        hash.addData(part);
    }
    return hash.result().toHex().toStdString();
}

}  // namespace calibscope
