// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <array>
#include <string>
#include <vector>

namespace calibscope {

/// The plot below the histogram of the Browse page.
enum class Secondary { Curve, ErrorPerBin, Batches, Samples };

/// How such a plot is called: the list says which there are, in the order of the enumeration.
/// Buttons, menu and words are made from it; titles and helps are to be translated.
struct LowerPlot
{
    Secondary plot;
    const char* word;   ///< in session files and on the command line
    const char* title;  ///< of its button
    const char* help;   ///< likewise
    const char* menuTitle;
    const char* shortcut;
    const char* menuHelp;
};

inline constexpr std::array lowerPlots = {
    LowerPlot{Secondary::Curve, "curve", QT_TRANSLATE_NOOP("LowerPlot", "Curve"),
              QT_TRANSLATE_NOOP("LowerPlot", "Search objective against the threshold"),
              QT_TRANSLATE_NOOP("LowerPlot", "&Curves of the search"), "C",
              QT_TRANSLATE_NOOP("LowerPlot", "Cost of each threshold, below the histogram.")},
    LowerPlot{
        Secondary::ErrorPerBin, "error", QT_TRANSLATE_NOOP("LowerPlot", "Error by bin"),
        QT_TRANSLATE_NOOP("LowerPlot", "Squared error by bin, split into rounding and clipping"),
        QT_TRANSLATE_NOOP("LowerPlot", "&Error of each bin"), "E",
        QT_TRANSLATE_NOOP("LowerPlot",
                          "How much rounding and clipping cost, below the histogram.")},
    LowerPlot{Secondary::Batches, "batches", QT_TRANSLATE_NOOP("LowerPlot", "Batches"),
              QT_TRANSLATE_NOOP("LowerPlot", "Batch by batch, with the results so far"),
              QT_TRANSLATE_NOOP("LowerPlot", "&Batches"), "B",
              QT_TRANSLATE_NOOP("LowerPlot", "How the histogram grew batch by batch, below it.")},
    LowerPlot{Secondary::Samples, "samples", QT_TRANSLATE_NOOP("LowerPlot", "Samples"),
              QT_TRANSLATE_NOOP("LowerPlot", "Threshold against the number of samples: are there "
                                             "enough?"),
              QT_TRANSLATE_NOOP("LowerPlot", "Enough &samples"), "Y",
              QT_TRANSLATE_NOOP("LowerPlot",
                                "What fewer or other samples would have given, below the "
                                "histogram.")}};

[[nodiscard]] inline std::vector<std::string> lowerPlotWords()
{
    std::vector<std::string> words;
    for (const LowerPlot& plot : lowerPlots)
        words.emplace_back(plot.word);
    return words;
}

}  // namespace calibscope
