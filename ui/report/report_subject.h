#pragma once

#include "core/report/html/report_data.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace calibscope {

class Session;

/// What a report can be made of, as it stands in the window.
struct ReportSubject
{
    std::string file;
    bool allowExternal = false;
    QString recipeTitle;  ///< of the chosen recipe
    std::string recipe;   ///< its id
    std::size_t channelTensors = 0;
    /// Paths of the tensors in each scope.
    std::vector<std::string> all;
    std::vector<std::string> filtered;
    std::vector<std::string> flagged;
    std::vector<std::string> selected;
    /// The selected tensor as a page would show it; nothing until it was read.
    std::optional<report::ReportedTensor> sample;
    report::Source source;
};

/// `filtered`: places of the tensors that the list shows.
[[nodiscard]] ReportSubject reportSubject(const Session& session, const std::vector<int>& filtered);

}  // namespace calibscope
