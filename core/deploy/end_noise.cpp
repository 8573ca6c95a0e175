// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/end_noise.h"

#include "core/deploy/check/agreement.h"
#include "core/deploy/check/check_steps.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

namespace calibscope::deploy {

const EndChoice* adjointReference(const EndOperand& operand, const EndChoice& wanted)
{
    const EndChoice* best = nullptr;
    const auto rank = [&](const EndChoice& choice) {
        return std::pair(!choice.adjoint.empty(),
                         choice.quantization.format.bits() == wanted.quantization.format.bits());
    };
    for (const EndChoice& choice : operand.choices)
        if (!choice.power.empty() && (best == nullptr || rank(choice) > rank(*best)))
            best = &choice;
    return best;
}

namespace {

constexpr int finerLevels = 256;
constexpr double mostScaledRatio = 1.05;
constexpr double leastGainDb = 0.1;  // of a point of the budget to the one before

double sumOf(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0);
}

TensorQuantization inFinerLevels(TensorQuantization quantization)
{
    for (float& scale : quantization.scales)
        scale /= static_cast<float>(finerLevels);
    for (double& zeroPoint : quantization.zeroPoints)
        zeroPoint *= finerLevels;
    quantization.format = NumberFormat::integers(quantization.format.low() * finerLevels,
                                                 quantization.format.high() * finerLevels);
    return quantization;
}

/// Each within one level of the coarser ones.
bool areZeroPointsNear(const std::vector<double>& coarse, const std::vector<double>& fine)
{
    return std::ranges::equal(coarse, fine, [](double one, double other) {
        return std::abs(one * finerLevels - other) <= finerLevels;
    });
}

/// Square of the ratio of the scales, if one's powers follow from the other's by it: of the same
/// levels, or of 16 bits instead of 8.
std::optional<double> scaledBy(const TensorQuantization& measured, const TensorQuantization& wanted)
{
    if (measured.scales.size() != wanted.scales.size() || measured.axis != wanted.axis ||
        measured.group != wanted.group)
        return std::nullopt;
    if (inFinerLevels(measured) == wanted)
        return 1.0 / (finerLevels * finerLevels);
    const bool isFiner = measured.format.isInteger() && wanted.format.isInteger() &&
                         measured.format.bits() == 8 && wanted.format.bits() == 16;
    if (isFiner ? !areZeroPointsNear(measured.zeroPoints, wanted.zeroPoints)
                : measured.format != wanted.format || measured.zeroPoints != wanted.zeroPoints)
        return std::nullopt;
    const double levels = isFiner ? finerLevels : 1.0;
    double squares = 0.0;
    for (std::size_t index = 0; index < wanted.scales.size(); ++index) {
        const double ratio =
            static_cast<double>(wanted.scales[index]) / static_cast<double>(measured.scales[index]);
        if (!(ratio * levels < mostScaledRatio && ratio * levels > 1.0 / mostScaledRatio))
            return std::nullopt;
        squares += ratio * ratio;
    }
    return squares / static_cast<double>(wanted.scales.size());
}

/// A choice's power, of its own or of a near one.
struct FoundPower
{
    const EndChoice* from = nullptr;  ///< null: there is none
    double factor = 1.0;
    bool isByAdjoint = false;
};

FoundPower powerOf(const EndOperand& operand, std::size_t choice)
{
    const EndChoice& wanted = operand.choices[choice];
    if (!wanted.power.empty())
        return {.from = &wanted};
    for (const EndChoice& near : operand.choices)
        if (!near.power.empty())
            if (const auto factor = scaledBy(near.quantization, wanted.quantization))
                return {.from = &near, .factor = *factor};
    const EndChoice* near = adjointReference(operand, wanted);
    if (near == nullptr || near->adjoint.empty() || wanted.adjoint.empty())
        return {};
    const double before = sumOf(near->adjoint);
    const double now = sumOf(wanted.adjoint);
    if (before > 0.0 || now == 0.0)  // 0: nothing of it reaches the end
        return {.from = near, .factor = before > 0.0 ? now / before : 1.0, .isByAdjoint = true};
    return {};
}

/// 2 sum over i != j of r_ij^2 P_i P_j.
double crossTerms(const EndTable& table, const EndMix& mix, const EndPrediction& end)
{
    constexpr double leastProduct = 1e-9;  // of the squared sum: below, 100 operands add nothing
    double sum = 0.0;
    for (std::size_t i = 0; i < end.shares.size(); ++i)
        for (std::size_t j = i + 1; j < end.shares.size(); ++j) {
            const EndShare& one = end.shares[i];
            const EndShare& other = end.shares[j];
            const double powers = one.power.value_or(0.0) * other.power.value_or(0.0);
            if (powers <= leastProduct * end.noise * end.noise)
                continue;
            const auto& a = powerOf(table.operands[one.operand], *mix[one.operand]).from->direction;
            const auto& b =
                powerOf(table.operands[other.operand], *mix[other.operand]).from->direction;
            if (a.size() != b.size())
                continue;
            const double product = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
            sum += 2.0 * powers * std::max(0.0, product * product - 1.0 / directionParts);
        }
    return 2.0 * sum;
}

/// The layers that change together, and their operands.
struct BudgetUnit
{
    std::vector<std::size_t> layers;
    std::vector<double> cost = {0.0, 0.0, 0.0};  ///< by EndPrecision
    std::vector<double> noise = {0.0, 0.0, 0.0};
    bool isMeasured = true;
    std::size_t state = 0;
};

/// The unit of each layer, by the layer with the least index in it.
std::vector<std::size_t> unitsOf(const EndTable& table, const EndMix& mix)
{
    std::vector<std::size_t> unit(table.layers.size());
    std::iota(unit.begin(), unit.end(), std::size_t{0});
    for (bool isChanged = true; isChanged;) {
        isChanged = false;
        for (std::size_t index = 0; index < mix.size(); ++index)
            for (const std::size_t layer : table.operands[index].layers) {
                std::size_t& first = unit[table.operands[index].layers.front()];
                const std::size_t least = std::min(first, unit[layer]);
                isChanged = isChanged || (mix[index] && (first != least || unit[layer] != least));
                if (mix[index])
                    first = unit[layer] = least;
            }
    }
    return unit;
}

std::vector<BudgetUnit> budgetUnits(const EndTable& table, const EndMix& mix,
                                    const BudgetCost& cost)
{
    const std::vector<std::size_t> unitOf = unitsOf(table, mix);
    std::vector<BudgetUnit> units(table.layers.size());
    for (std::size_t layer = 0; layer < table.layers.size(); ++layer) {
        BudgetUnit& unit = units[unitOf[layer]];
        const EndLayer& facts = table.layers[layer];
        const double one = cost.isOfWeights ? facts.weightValues : facts.multiplications;
        unit.layers.push_back(layer);
        unit.cost[0] += one;
        unit.cost[1] += one * cost.int16;
        unit.cost[2] += one * cost.inFloat;
    }
    for (std::size_t index = 0; index < mix.size(); ++index) {
        const EndOperand& operand = table.operands[index];
        if (!mix[index] || operand.layers.empty())
            continue;
        BudgetUnit& unit = units[unitOf[operand.layers.front()]];
        const FoundPower found = powerOf(operand, *mix[index]);
        const double power = found.from == nullptr ? 0.0 : sumOf(found.from->power) * found.factor;
        unit.isMeasured = unit.isMeasured && found.from != nullptr;
        unit.noise[0] += power;
        unit.noise[1] += operand.isWeight ? power : power / (finerLevels * finerLevels);
    }
    return units;
}

struct BudgetOrder
{
    bool isPerCost = true;
    std::vector<BudgetPoint> points;
};

/// Changes one unit after the other, until nothing is left to be saved.
void followOrder(std::vector<BudgetUnit> units, std::size_t layers, BudgetOrder& order)
{
    double all = 0.0;
    for (const BudgetUnit& unit : units)
        all += unit.cost[0];
    all = all > 0.0 ? all : 1.0;  // nothing is known of the layers
    for (;;) {
        BudgetPoint point{.cost = 0.0,
                          .layers = std::vector(layers, EndPrecision::Int8),
                          .predicted = {},
                          .measuredDb = {}};
        BudgetUnit* best = nullptr;
        std::size_t to = 0;
        double most = 0.0;
        for (BudgetUnit& unit : units) {
            point.cost += unit.cost[unit.state];
            for (const std::size_t layer : unit.layers)
                point.layers[layer] = static_cast<EndPrecision>(unit.state);
            for (std::size_t state = unit.state + 1; unit.isMeasured && state < 3; ++state) {
                const double saved = unit.noise[unit.state] - unit.noise[state];
                const double further = std::max(unit.cost[state] - unit.cost[unit.state],
                                                1e-12 * all);  // free: first of all
                const double worth = order.isPerCost ? saved / further : saved;
                if (worth > most) {
                    most = worth;
                    best = &unit;
                    to = state;
                }
            }
        }
        point.cost /= all;
        order.points.push_back(std::move(point));
        if (best == nullptr)
            return;
        best->state = to;
    }
}

}  // namespace

bool isKnownWithoutRun(const EndOperand& operand, std::size_t choice)
{
    return powerOf(operand, choice).from != nullptr;
}

EndPrediction predictedEnd(const EndTable& table, const EndMix& mix)
{
    EndPrediction end{.shares = {}, .signal = sumOf(table.signal)};
    for (std::size_t index = 0; index < mix.size(); ++index) {
        if (!mix[index])
            continue;
        const FoundPower found = powerOf(table.operands[index], *mix[index]);
        EndShare share{.operand = index, .choice = *mix[index], .power = {}, .shareOfLargest = {}};
        if (found.from == nullptr) {
            ++end.notMeasured;
        } else {
            const double power = sumOf(found.from->power);
            share.power = power * found.factor;
            if (power > 0.0)
                share.shareOfLargest = std::ranges::max(found.from->power) / power;
            share.isByAdjoint = found.isByAdjoint;
            share.isScaled =
                !found.isByAdjoint &&
                found.from->quantization != table.operands[index].choices[*mix[index]].quantization;
            end.scaled += share.isScaled ? 1U : 0U;
            end.noise += *share.power;
        }
        end.shares.push_back(share);
    }
    std::ranges::stable_sort(end.shares, std::ranges::greater{},
                             [](const EndShare& share) { return share.power.value_or(-1.0); });
    end.db = sqnrDb(end.signal, end.noise);
    if (end.noise > 0.0) {
        const double h =
            1.96 * 10.0 / std::numbers::ln10 * std::sqrt(crossTerms(table, mix, end)) / end.noise;
        end.halfWidthDb = std::max(1.5 * h, 1.5);
    }
    return end;
}

std::vector<EndChange> bestChanges(const EndTable& table, const EndMix& mix)
{
    std::vector<std::pair<double, EndChange>> saving;
    for (const EndShare& share : predictedEnd(table, mix).shares) {
        const std::vector<EndChoice>& choices = table.operands[share.operand].choices;
        double least = share.power.value_or(0.0);
        EndChange change{.operand = share.operand, .choice = share.choice, .predicted = {}};
        for (std::size_t choice = 0; choice < choices.size(); ++choice) {
            const EndChoice& other = choices[choice];
            if (other.power.empty() || other.choiceId.empty() ||
                other.quantization.format.bits() !=
                    choices[share.choice].quantization.format.bits() ||
                sumOf(other.power) >= least)
                continue;
            least = sumOf(other.power);
            change.choice = choice;
        }
        if (change.choice != share.choice)
            saving.emplace_back(*share.power - least, std::move(change));
    }
    std::ranges::stable_sort(saving, std::ranges::greater{}, &std::pair<double, EndChange>::first);
    std::vector<EndChange> changes;
    EndMix changed = mix;
    double before = predictedEnd(table, mix).db;
    for (auto& [saved, change] : saving) {
        changed[change.operand] = change.choice;
        change.predicted = predictedEnd(table, changed);
        change.gainDb = change.predicted.db - std::exchange(before, change.predicted.db);
        changes.push_back(std::move(change));
    }
    return changes;
}

void addInt16Choices(EndTable& table, const EndMix& mix)
{
    for (std::size_t index = 0; index < mix.size(); ++index) {
        EndOperand& operand = table.operands[index];
        if (!mix[index] || operand.isWeight ||
            operand.choices[*mix[index]].quantization.format.bits() > 8)
            continue;
        const EndChoice& from = operand.choices[*mix[index]];
        EndChoice finer{.label = from.label + " in int16",
                        .quantization = inFinerLevels(from.quantization)};
        if (std::ranges::find(operand.choices, finer.quantization, &EndChoice::quantization) ==
            operand.choices.end())
            operand.choices.push_back(std::move(finer));
    }
}

EndMix mixAt(const EndTable& table, const EndMix& mix, const BudgetPoint& point)
{
    EndMix changed = mix;
    for (std::size_t index = 0; index < mix.size(); ++index) {
        const EndOperand& operand = table.operands[index];
        if (!mix[index] || operand.layers.empty())
            continue;
        const EndPrecision precision = point.layers[operand.layers.front()];
        if (precision == EndPrecision::Float)
            changed[index].reset();
        if (precision != EndPrecision::Int16 || operand.isWeight)
            continue;
        const auto finer = std::ranges::find(
            operand.choices, inFinerLevels(operand.choices[*mix[index]].quantization),
            &EndChoice::quantization);
        if (finer != operand.choices.end())
            changed[index] = static_cast<std::size_t>(finer - operand.choices.begin());
    }
    return changed;
}

std::vector<BudgetPoint> budgetCurve(const EndTable& table, const EndMix& mix,
                                     const BudgetCost& cost)
{
    const std::vector<BudgetUnit> units = budgetUnits(table, mix, cost);
    std::vector<BudgetPoint> points;
    for (const bool isPerCost : {true, false}) {
        BudgetOrder order{.isPerCost = isPerCost, .points = {}};
        followOrder(units, table.layers.size(), order);
        std::ranges::move(order.points, std::back_inserter(points));
    }
    for (BudgetPoint& point : points)
        point.predicted = predictedEnd(table, mixAt(table, mix, point));
    std::ranges::stable_sort(points, [](const BudgetPoint& one, const BudgetPoint& other) {
        return one.cost != other.cost ? one.cost < other.cost
                                      : one.predicted.db > other.predicted.db;
    });
    std::vector<BudgetPoint> curve;
    for (BudgetPoint& point : points)
        if (curve.empty() || point.predicted.db - curve.back().predicted.db >= leastGainDb)
            curve.push_back(std::move(point));
    return curve;
}

}  // namespace calibscope::deploy
