#include "ui/plot/plot_content.h"

#include <QCoreApplication>

namespace calibscope {

QString PlotContent::linearOnlyText() const
{
    return QCoreApplication::translate("PlotContent", "This axis has no logarithm.");
}

}  // namespace calibscope
