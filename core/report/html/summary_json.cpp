// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/summary_json.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace calibscope::report {

namespace {

using Json = nlohmann::ordered_json;

Json numberJson(double value)
{
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    return value;
}

Json filesJson(const Report& report)
{
    Json files = Json::array();
    for (const Source& source : report.sources) {
        Json file = {{"path", source.identity.path}};
        if (source.problem.empty()) {
            file["size"] = source.identity.bytes;
            file["modified"] = source.identity.modified;
        } else {
            file["problem"] = source.problem;
        }
        if (!source.identity.sha256.empty())
            file["sha256"] = source.identity.sha256;
        files.push_back(std::move(file));
    }
    return files;
}

/// File and tensor, which name a tensor together.
Json tensorJson(const Report& report, const TensorLine& line)
{
    return {{"file", report.sources[line.source].identity.path}, {"tensor", line.info.name}};
}

Json rankedJson(const Report& report, const TensorLine& line)
{
    Json tensor = tensorJson(report, line);
    tensor["role"] = roleText(line.info.role);
    if (!line.page.empty())
        tensor["page"] = line.page;
    Json sqnr = Json::object();
    for (const Recipe& recipe : report.recipes) {
        const ResultLine* result = line.resultOf(recipe.id);
        if (result != nullptr && result->sqnrDb)
            sqnr[recipe.id] = numberJson(*result->sqnrDb);
    }
    tensor["sqnr_db"] = std::move(sqnr);
    return tensor;
}

Json gatesJson(const Report& report)
{
    Json gates = Json::array();
    for (const Gate& gate : report.gates) {
        Json offences = Json::array();
        for (const Offence& offence : report.offences) {
            if (offence.gate != gate.expression)
                continue;
            Json entry = tensorJson(report, report.lines[offence.line]);
            entry["result"] = offence.label;
            entry["value"] = numberJson(offence.value);
            offences.push_back(std::move(entry));
        }
        const bool passed = offences.empty();
        gates.push_back({{"expression", gate.expression},
                         {"passed", passed},
                         {"offences", std::move(offences)}});
    }
    return gates;
}

Json problemsJson(const Report& report)
{
    Json problems = Json::array();
    const auto add = [&](const TensorLine& line, const std::string& problem) {
        Json entry = tensorJson(report, line);
        entry["problem"] = problem;
        problems.push_back(std::move(entry));
    };
    for (const TensorLine& line : report.lines) {
        if (!line.problem.empty())
            add(line, line.problem);
        for (const ResultLine& result : line.results)
            if (!result.problem.empty())
                add(line, result.label + ": " + result.problem);
    }
    return problems;
}

Json errorSumsJson(const Report& report)
{
    Json sums = Json::array();
    for (const Recipe& recipe : report.recipes)
        if (const ErrorSum sum = report.errorSum(recipe.id); sum.activations > 0)
            sums.push_back({{"recipe", recipe.id},
                            {"activations", sum.activations},
                            {"squared_error", numberJson(sum.squaredError)}});
    return sums;
}

}  // namespace

std::string summaryJson(const Report& report)
{
    Json recipes = Json::array();
    for (const Recipe& recipe : report.recipes)
        recipes.push_back(recipe.id);
    Json tensors = Json::array();
    for (const std::size_t place : report.ranking())
        tensors.push_back(rankedJson(report, report.lines[place]));
    const Json summary = {
        {"calibscope", CALIBSCOPE_VERSION}, {"files", filesJson(report)},
        {"recipes", std::move(recipes)},    {"squared_error_of_activations", errorSumsJson(report)},
        {"tensors", std::move(tensors)},    {"gates", gatesJson(report)},
        {"problems", problemsJson(report)}};
    // Names may hold bytes that are not UTF-8: dump() would throw for them.
    return summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace calibscope::report
