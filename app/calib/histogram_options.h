#pragma once

#include "core/stats/histogram.h"

#include <string>

namespace CLI {
class App;
}

namespace calibscope::cli {

/// Which histogram is meant: --growth, --bins, --domain.
struct HistogramOptions
{
    std::string growth = "fixed";
    int bins = 0;        ///< 0: as the rule was published
    std::string domain;  ///< empty: likewise

    void declare(CLI::App& subcommand);
    /// Throws Error(Usage) for an unknown rule.
    [[nodiscard]] HistogramSpec spec() const;
};

}  // namespace calibscope::cli
