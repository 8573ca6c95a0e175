// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/sqnr_limits.h"
#include "core/protocol/messages.h"
#include "core/recipes/recipe.h"
#include "core/report/describe/report_data.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

struct ReportOptions
{
    std::vector<std::string> files;
    std::string folder;
    std::vector<std::string> recipes;      ///< ids, published or the user's own
    std::vector<std::string> presets;      ///< ID[:parameter=value,...], as are the calibrators
    std::vector<std::string> calibrators;  ///< none of the three: all recipes but the variants
    std::vector<Recipe> further = {};      ///< behind those, as they are
    /// Recipes that depend on what the dumps hold, behind all others; nothing: none.
    std::function<std::vector<Recipe>(std::span<const protocol::DumpOpened>)> decisions = {};
    std::vector<ImprovementReport> improvements = {};   ///< remedies that are ticked, of each dump
    std::vector<std::vector<LadderRung>> ladders = {};  ///< their steps at the network's end
    std::vector<std::string> gates;                     ///< as in parseGate()

    std::vector<std::string> tensors = {};  ///< as in selectTensors(); none: all
    std::string filter;                     ///< as in TensorFilter

    std::set<report::Format> formats = {report::Format::Html, report::Format::Csv,
                                        report::Format::Json, report::Format::Png};
    std::set<report::Content> contents{report::contents().begin(), report::contents().end()};
    int pictureScale = 2;  ///< pixels of a PNG for each of the picture's 1000
    bool isDark = false;   ///< HTML and pictures; a PDF is for paper
    bool hasFooters = true;
    SqnrLimits limits = {};  ///< of the bars in HTML
    /// Tensors with pictures, those with the lowest SQNR. None: all, if they are not more than 500.
    std::optional<std::size_t> worstPictures = {};

    bool overwrite = false;
    bool allowExternal = false;  ///< as in protocol::OpenRequest

    [[nodiscard]] bool has(report::Format format) const { return formats.contains(format); }
    [[nodiscard]] bool has(report::Content content) const { return contents.contains(content); }
};

}  // namespace calibscope
