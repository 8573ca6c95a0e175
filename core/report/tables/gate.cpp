#include "core/report/tables/gate.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/metrics/metric.h"

#include <cmath>

namespace calibscope {

namespace {

/// "sqnr_db" is also meant by "sqnr".
bool isMeant(const Metric& metric, std::string_view name)
{
    return metric.id == name || metric.id == std::string(name) + "_db";
}

std::string metricOf(std::string_view name, std::string_view expression)
{
    std::string known;
    for (const Metric& metric : metrics()) {
        if (isMeant(metric, name))
            return std::string(metric.id);
        known += (known.empty() ? "" : ", ") + std::string(metric.id);
    }
    throw Error(Fault::Usage, "--fail-if " + std::string(expression) + ": there is no metric \"" +
                                  std::string(name) + "\"; available: " + known);
}

}  // namespace

Gate parseGate(std::string_view expression)
{
    const std::size_t sign = expression.find_first_of("<>");
    if (sign == std::string_view::npos)
        throw Error(Fault::Usage,
                    "--fail-if " + std::string(expression) +
                        ": a condition is METRIC<NUMBER or METRIC>NUMBER, for example "
                        "\"sqnr<20\"");
    const std::string_view number = expression.substr(sign + 1);
    const std::optional<double> limit = parseNumber(number);
    if (!limit || std::isnan(*limit))
        throw Error(Fault::Usage, "--fail-if " + std::string(expression) + ": \"" +
                                      std::string(number) + "\" is not a number");
    return {.expression = std::string(expression),
            .metric = metricOf(expression.substr(0, sign), expression),
            .side = expression[sign] == '<' ? Gate::Side::Below : Gate::Side::Above,
            .limit = *limit};
}

std::optional<double> offence(const Gate& gate, const Outcome& outcome)
{
    const std::optional<double> value = outcome.whole.metric(gate.metric);
    if (!value)
        return std::nullopt;
    const bool offends = gate.side == Gate::Side::Below ? *value < gate.limit : *value > gate.limit;
    return offends ? value : std::nullopt;
}

}  // namespace calibscope
