#include "core/report/tables/search_json.h"

#include "core/report/tables/table.h"

namespace calibscope {

namespace {

std::string numberArray(const std::vector<double>& values)
{
    std::string text = "[";
    for (const double value : values)
        text += (text.size() == 1 ? "" : ",") + jsonNumber(value);
    return text + "]";
}

std::string indexArray(const std::vector<std::size_t>& indices)
{
    std::string text = "[";
    for (const std::size_t index : indices)
        text += (text.size() == 1 ? "" : ",") + std::to_string(index);
    return text + "]";
}

}  // namespace

std::string curveJson(const Curve& curve)
{
    std::string text =
        "{\"objective_name\":" + jsonText(curve.objective) + ",\"unit\":" + jsonText(curve.unit) +
        ",\"threshold\":" + numberArray(curve.threshold) +
        ",\"objective\":" + numberArray(curve.value) +
        ",\"chosen\":" + std::to_string(curve.chosen) + ",\"ties\":" + indexArray(curve.ties) +
        ",\"plateau\":" + numberArray({curve.plateau.low, curve.plateau.high});
    if (curve.runnerUp)
        text += ",\"runner_up\":" + std::to_string(*curve.runnerUp);
    return text + "}";
}

std::string traceJson(const Trace& trace, bool withSteps)
{
    std::string text = "{\"objective_name\":" + jsonText(trace.objective) +
                       ",\"iterations\":" + std::to_string(trace.iterations) +
                       ",\"settled\":" + (trace.isSettled ? "true" : "false") +
                       ",\"error_start\":" + jsonNumber(trace.error.front()) +
                       ",\"error_end\":" + jsonNumber(trace.error.back());
    if (trace.gridScale && trace.gridError)
        text += ",\"grid_scale\":" + jsonNumber(*trace.gridScale) +
                ",\"grid_error\":" + jsonNumber(*trace.gridError) +
                ",\"grid_ratio\":" + jsonNumber(*trace.gridRatio());
    if (withSteps)
        text += ",\"scale\":" + numberArray(trace.scale) + ",\"error\":" + numberArray(trace.error);
    return text + "}";
}

}  // namespace calibscope
