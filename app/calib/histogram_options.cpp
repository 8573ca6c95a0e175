#include "app/calib/histogram_options.h"

#include "core/stats/growth_rule.h"

#include <CLI/CLI.hpp>

namespace calibscope::cli {

namespace {

constexpr int mostBins = 1 << 20;

}  // namespace

void HistogramOptions::declare(CLI::App& subcommand)
{
    subcommand.add_option("--growth", growth, "How the bins follow the range from batch to batch")
        ->type_name("RULE")
        ->capture_default_str();
    subcommand.add_option("--bins", bins, "Bins at the start (as the rule was published)")
        ->type_name("N")
        ->check(CLI::Range(1, mostBins));
    subcommand.add_option("--domain", domain, "Of |x| or of x (as the rule was published)")
        ->type_name("magnitude|signed")
        ->check(CLI::IsMember({"magnitude", "signed"}));
}

HistogramSpec HistogramOptions::spec() const
{
    const GrowthRule& rule = growthRule(growth);
    Domain counted = rule.domain;
    if (!domain.empty())
        counted = domain == domainText(Domain::Signed) ? Domain::Signed : Domain::Magnitude;
    return {.growth = growth, .bins = bins == 0 ? rule.bins : bins, .domain = counted};
}

}  // namespace calibscope::cli
