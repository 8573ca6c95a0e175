#include "ui/window/about_dialog.h"

#include <QCoreApplication>
#include <QMessageBox>

namespace calibscope {

void showAbout(QWidget& parent)
{
    const auto tr = [](const char* text) {
        return QCoreApplication::translate("AboutDialog", text);
    };
    const QString text =
        QStringLiteral("<h3>Calibscope %1</h3><p>%2</p><p>%3</p><p>%4</p>")
            .arg(QStringLiteral(CALIBSCOPE_VERSION),
                 tr("Shows which int8 scales calibration algorithms choose for recorded "
                    "activations and weights, and why they differ."),
                 tr("Free software under the GNU General Public License, version 3 or later, "
                    "without any warranty."),
                 tr("Qt %1 (Widgets: LGPL 3; Charts: GPL 3). Font: Roboto (Apache 2.0). The sample "
                    "is recorded from PaddleOCR (Apache 2.0). The engine uses HDF5, libdeflate and "
                    "nlohmann/json.")
                     .arg(QString::fromLatin1(qVersion())));
    auto* dialog = new QMessageBox(QMessageBox::NoIcon, tr("About Calibscope"), text,
                                   QMessageBox::Close, &parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setTextFormat(Qt::RichText);
    dialog->open();
}

}  // namespace calibscope
