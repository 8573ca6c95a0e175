#pragma once

#include "core/report/html/report_data.h"
#include "ui/report/report_options.h"

#include <QString>

#include <string>
#include <utility>
#include <vector>

namespace calibscope {

/// What a picture was made from: the file's name and the beginning of its SHA-256, the dataset, our
/// version.
[[nodiscard]] QString provenanceLine(const report::Source& source, const TensorInfo& tensor);

/// Versions and options that made a report, as names and values. Nothing of it changes from one
/// run to the next on a system.
[[nodiscard]] std::vector<std::pair<std::string, std::string>>
reportEnvironment(const ReportOptions& options, const std::vector<Recipe>& recipes,
                  std::size_t tensorsShown, std::size_t tensorsInAll);

}  // namespace calibscope
