#pragma once

#include "core/report/html/report_data.h"
#include "ui/report/paper.h"

#include <QString>

namespace calibscope {

/// A tensor's page: where it is from, its plots, its results, their notes.
void addTensorPage(Paper& paper, const report::Report& report, const report::ReportedTensor& part,
                   const QString& anchor);

}  // namespace calibscope
