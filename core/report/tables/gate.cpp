// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/gate.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/metrics/metric.h"

#include <cmath>
#include <vector>

namespace calibscope {

namespace {

/// "sqnr_db" is also meant by "sqnr".
bool isMeant(const std::string& id, std::string_view name)
{
    return id == name || id == std::string(name) + "_db";
}

std::string metricOf(std::string_view name, std::string_view expression,
                     std::span<const std::string> ids)
{
    std::string known;
    for (const std::string& id : ids) {
        if (isMeant(id, name))
            return id;
        known += (known.empty() ? "" : ", ") + id;
    }
    throw Error(Fault::Usage, "--fail-if {}: there is no metric \"{}\"; available: {}", expression,
                name, known);
}

}  // namespace

Gate parseGate(std::string_view expression)
{
    std::vector<std::string> ids;
    for (const Metric& metric : metrics())
        ids.emplace_back(metric.id);
    return parseGate(expression, ids);
}

Gate parseGate(std::string_view expression, std::span<const std::string> metricIds)
{
    const std::size_t sign = expression.find_first_of("<>");
    if (sign == std::string_view::npos)
        throw Error(
            Fault::Usage,
            "--fail-if {}: a condition is METRIC<NUMBER or METRIC>NUMBER, for example \"sqnr<20\"",
            expression);
    const std::string_view number = expression.substr(sign + 1);
    const std::optional<double> limit = parseNumber(number);
    if (!limit || std::isnan(*limit))
        throw Error(Fault::Usage, "--fail-if {}: \"{}\" is not a number", expression, number);
    return {.expression = std::string(expression),
            .metric = metricOf(expression.substr(0, sign), expression, metricIds),
            .side = expression[sign] == '<' ? Gate::Side::Below : Gate::Side::Above,
            .limit = *limit};
}

bool offends(const Gate& gate, double value)
{
    return gate.side == Gate::Side::Below ? value < gate.limit : value > gate.limit;
}

std::optional<double> offence(const Gate& gate, const Outcome& outcome)
{
    const std::optional<double> value = outcome.whole.metric(gate.metric);
    if (!value)
        return std::nullopt;
    return offends(gate, *value) ? value : std::nullopt;
}

}  // namespace calibscope
