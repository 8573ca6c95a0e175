// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/comparison_table.h"

#include "core/report/tables/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <tuple>

namespace calibscope {

namespace {

constexpr std::array<std::string_view, 8> ofTensor = {
    "tensor", "other_tensor", "match", "role", "op", "shape", "other_shape", "note"};
constexpr std::array<std::string_view, 10> ofValues = {"values",
                                                       "other_values",
                                                       "absmax",
                                                       "other_absmax",
                                                       "max_ratio",
                                                       "earth_mover",
                                                       "earth_mover_bound",
                                                       "earth_mover_share",
                                                       "kl_drift",
                                                       "kl_drift_bound"};
constexpr std::array<std::string_view, 6> choiceColumnIds = {"recipe", "preset",   "calibrator",
                                                             "scheme", "settings", "granularity"};
constexpr std::array<std::string_view, 9> ofResult = {
    "scale",        "other_scale",        "scale_ratio",
    "sqnr_db",      "other_sqnr_db",      "transferred_sqnr_db",
    "sqnr_loss_db", "sqnr_loss_bound_db", "transfer"};

bool isText(std::string_view id)
{
    return std::ranges::find(ofTensor, id) != ofTensor.end() ||
           std::ranges::find(choiceColumnIds, id) != choiceColumnIds.end() || id == "transfer";
}

std::vector<Column> comparisonColumnList()
{
    std::vector<Column> columns;
    const auto add = [&columns](const auto& ids) {
        for (const std::string_view id : ids) {
            std::string title(id);
            std::ranges::replace(title, '_', ' ');
            columns.push_back({.id = std::string(id), .title = title, .isNumeric = !isText(id)});
        }
    };
    add(ofTensor);
    add(ofValues);
    add(choiceColumnIds);
    add(ofResult);
    return columns;
}

std::string noteOf(const ComparedTensor& tensor)
{
    std::string note = tensor.isSameShape ? "" : "another shape";
    const std::string odd = unusualOfOne(tensor.extentsA, tensor.extentsB);
    if (!note.empty() && !odd.empty())
        note += "; ";
    return note + odd;
}

std::vector<Cell> tensorCells(const ComparedTensor& tensor)
{
    std::vector<Cell> cells = {tensor.a.name,
                               tensor.b.name,
                               std::string(matchRuleText(tensor.rule)),
                               std::string(roleText(tensor.a.role)),
                               tensor.a.op,
                               shapeText(tensor.a.shape),
                               shapeText(tensor.b.shape),
                               noteOf(tensor),
                               tensor.extentsA.values(),
                               tensor.extentsB.values()};
    const bool hasA = tensor.extentsA.finite > 0;
    const bool hasB = tensor.extentsB.finite > 0;
    cells.push_back(hasA ? Cell{tensor.extentsA.absMax()} : Cell{});
    cells.push_back(hasB ? Cell{tensor.extentsB.absMax()} : Cell{});
    const std::optional<Drift>& drift = tensor.comparison.drift;
    cells.push_back(drift ? Cell{drift->maxRatio} : Cell{});
    cells.push_back(drift ? Cell{drift->earthMover} : Cell{});
    cells.push_back(drift ? Cell{drift->earthMoverBar} : Cell{});
    cells.push_back(drift ? Cell{drift->earthMoverShare} : Cell{});
    cells.push_back(drift ? Cell{drift->klDivergence} : Cell{});
    cells.push_back(drift ? Cell{barOf(drift->klDivergence, drift->klBound)} : Cell{});
    return cells;
}

std::optional<double> sqnrOf(const Outcome& outcome)
{
    return outcome.problem.empty() ? outcome.whole.metric("sqnr_db") : std::nullopt;
}

Cell scaleOf(const Outcome& outcome)
{
    return outcome.problem.empty() ? Cell{outcome.whole.quantizer.scale} : Cell{};
}

std::optional<double> transferredSqnr(const ChoiceComparison& comparison)
{
    return comparison.transferred ? metricIn(comparison.transferred->metrics, "sqnr_db")
                                  : std::nullopt;
}

std::string transferText(const ChoiceComparison& comparison)
{
    if (!comparison.transferred)
        return comparison.whyNotTransferred;
    return comparison.transferred->isExact ? "exact" : "estimated";
}

void appendChoice(std::vector<Cell>& cells, const ChoiceComparison& comparison)
{
    const Choice& choice = comparison.a.choice;
    for (const std::string& text : {choice.recipe, choice.preset, choice.calibrator,
                                    std::string(schemeText(choice.scheme.kind)),
                                    choice.settings.toText(), choice.granularity.text()})
        cells.emplace_back(text);
    cells.push_back(scaleOf(comparison.a));
    cells.push_back(scaleOf(comparison.b));
    cells.push_back(optionalCell(comparison.scaleRatio()));
    cells.push_back(optionalCell(sqnrOf(comparison.a)));
    cells.push_back(optionalCell(sqnrOf(comparison.b)));
    cells.push_back(optionalCell(transferredSqnr(comparison)));
    cells.push_back(optionalCell(comparison.sqnrLossDb()));
    cells.push_back(optionalCell(comparison.sqnrLossBarDb()));
    cells.emplace_back(transferText(comparison));
}

}  // namespace

const std::vector<Column>& comparisonColumns()
{
    static const std::vector<Column> columns = comparisonColumnList();
    return columns;
}

std::vector<std::vector<Cell>> comparisonRows(const ComparedTensor& tensor)
{
    std::vector<std::vector<Cell>> rows;
    for (const ChoiceComparison& comparison : tensor.comparison.choices) {
        rows.push_back(tensorCells(tensor));
        appendChoice(rows.back(), comparison);
    }
    if (rows.empty()) {
        rows.push_back(tensorCells(tensor));
        rows.back().resize(comparisonColumns().size());
    }
    return rows;
}

std::vector<Cell> unmatchedRow(const TensorInfo& tensor, Side side)
{
    std::vector<Cell> cells(comparisonColumns().size());
    cells[side == Side::A ? 0 : 1] = tensor.name;
    cells[2] = std::string(side == Side::A ? "only in the first" : "only in the second");
    cells[3] = std::string(roleText(tensor.role));
    cells[4] = tensor.op;
    cells[side == Side::A ? 5 : 6] = shapeText(tensor.shape);
    return cells;
}

bool hasDriftedFurther(const ComparedTensor& one, const ComparedTensor& other)
{
    const std::optional<Drift>& first = one.comparison.drift;
    const std::optional<Drift>& second = other.comparison.drift;
    const auto hasLost = [](const ComparedTensor& tensor) {
        return hasLostValues(tensor.extentsA, tensor.extentsB);
    };
    if (hasLost(one) != hasLost(other))
        return hasLost(one);
    if (!first || !second)
        return first.has_value() && !second.has_value();
    const auto key = [](const Drift& drift) {
        return std::tuple(drift.earthMoverShare, drift.klDivergence,
                          std::abs(std::log(drift.maxRatio)));
    };
    return key(*first) > key(*second);
}

}  // namespace calibscope
