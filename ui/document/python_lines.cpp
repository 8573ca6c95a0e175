#include "ui/document/python_lines.h"

namespace calibscope {

namespace {

/// A Python string: ordinary unless the text has marks that mean something there.
QString quoted(QString text)
{
    text.replace(u'\\', QStringLiteral("\\\\")).replace(u'"', QStringLiteral("\\\""));
    return u'"' + text + u'"';
}

}  // namespace

QString pythonLines(const QString& file, const TensorInfo& tensor)
{
    QString read;
    if (tensor.parts.empty()) {
        read = QStringLiteral("values = dump[%1][()]")
                   .arg(quoted(QString::fromStdString(tensor.path)));
    } else {
        QStringList parts;
        for (const std::string& part : tensor.parts)
            parts += quoted(QString::fromStdString(part));
        read = QStringLiteral("values = numpy.concatenate([dump[part][()] for part in [%1]])")
                   .arg(parts.join(QStringLiteral(", ")));
    }
    const QString imports = tensor.parts.empty() ? QStringLiteral("import h5py\n")
                                                 : QStringLiteral("import h5py\nimport numpy\n");
    return imports +
           QStringLiteral("\nwith h5py.File(%1) as dump:\n    %2\n").arg(quoted(file), read);
}

}  // namespace calibscope
