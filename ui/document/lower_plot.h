#pragma once

#include <QtGlobal>

#include <array>
#include <string>
#include <vector>

namespace calibscope {

/// The plot below the histogram of the Browse page.
enum class Secondary { Curve, ErrorPerBin, Batches };

/// How such a plot is called: the list says which there are, in the order of the enumeration.
struct LowerPlot
{
    Secondary plot;
    const char* word;   ///< in session files and on the command line
    const char* title;  ///< of its button, to be translated
    const char* help;   ///< likewise
};

inline constexpr std::array lowerPlots = {
    LowerPlot{Secondary::Curve, "curve", QT_TRANSLATE_NOOP("LowerPlot", "Curve"),
              QT_TRANSLATE_NOOP("LowerPlot", "Search objective against the threshold")},
    LowerPlot{
        Secondary::ErrorPerBin, "error", QT_TRANSLATE_NOOP("LowerPlot", "Error by bin"),
        QT_TRANSLATE_NOOP("LowerPlot", "Squared error by bin, split into rounding and clipping")},
    LowerPlot{Secondary::Batches, "batches", QT_TRANSLATE_NOOP("LowerPlot", "Batches"),
              QT_TRANSLATE_NOOP("LowerPlot", "Batch by batch, with the results so far")}};

[[nodiscard]] inline std::vector<std::string> lowerPlotWords()
{
    std::vector<std::string> words;
    for (const LowerPlot& plot : lowerPlots)
        words.emplace_back(plot.word);
    return words;
}

}  // namespace calibscope
