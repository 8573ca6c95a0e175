// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/format_tables.h"

#include "core/base/join.h"
#include "core/formats/format_presets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace calibscope {

namespace {

constexpr std::uint64_t listedLength = 4096;  ///< of rows, and so many of them

/// "0x0f": as many digits as the bits need.
std::string patternText(unsigned pattern, int bits)
{
    return fmt::format("0x{:0{}x}", pattern, (bits + 3) / 4);
}

/// "scale-rule=floor|rceil|even|ceil", "headroom=16384": the default first.
std::string parameterText(const Parameter& parameter)
{
    return parameter.id + "=" +
           (parameter.words.empty() ? parameter.fallback : joinedText(parameter.words, "|"));
}

Cell numberCell(float value)
{
    return static_cast<double>(value);
}

double meanSquaredError(const ErrorSums& sums)
{
    return (sums.squaredRounding + sums.squaredClipping) / static_cast<double>(sums.count);
}

/// Cells of a tensor's row that need a finite value.
std::vector<Cell> errorCells(const FormatErrors& errors)
{
    const std::optional<double> sqnr = errors.sqnrDb();
    if (!sqnr)
        return {{}, errors.effectiveBits, {}, {}, {}, {}, {}};
    return {*sqnr,
            errors.effectiveBits,
            std::isfinite(*sqnr) ? Cell{*sqnr / errors.effectiveBits} : Cell{},
            meanSquaredError(errors.sums),
            errors.sums.maxError,
            errors.saturatedShare(),
            errors.flushedShare()};
}

}  // namespace

const std::vector<Column>& formatColumns()
{
    static const std::vector<Column> columns{
        {.id = "format", .title = "Format"},
        {.id = "element", .title = "Element"},
        {.id = "element_bits", .title = "Bits", .isNumeric = true},
        {.id = "scales", .title = "Scales"},
        {.id = "granularity", .title = "Granularity"},
        {.id = "scale_rule", .title = "Scale rule"},
        {.id = "effective_bits", .title = "Effective bits", .isNumeric = true},
        {.id = "users", .title = "Users"},
        {.id = "parameters", .title = "Parameters"}};
    return columns;
}

std::vector<Cell> formatRow(const BlockFormat& format)
{
    const MatrixShape matrix{.outer = listedLength, .length = listedLength};
    return {format.id,
            format.element->id(),
            static_cast<std::uint64_t>(format.element->bits()),
            format.scalesText(),
            format.granularity.text(),
            std::string(scaleRuleText(format.rule)),
            format.effectiveBits(matrix.values(), format.granularity.blocks(matrix, listedLength)),
            textCell(format.users),
            textCell(joinedText(formatParameters(format), " ", parameterText))};
}

const std::vector<Column>& formatPresetColumns()
{
    static const std::vector<Column> columns{{.id = "preset", .title = "Preset"},
                                             {.id = "tool", .title = "Tool"},
                                             {.id = "format", .title = "Format"}};
    return columns;
}

std::vector<std::vector<Cell>> formatPresetRows()
{
    std::vector<std::vector<Cell>> rows;
    for (const FormatPreset& preset : formatPresets())
        rows.push_back(
            {std::string(preset.id), std::string(preset.tool), std::string(preset.format)});
    return rows;
}

const std::vector<Column>& elementColumns()
{
    static const std::vector<Column> columns{{.id = "element", .title = "Element"},
                                             {.id = "pattern", .title = "Pattern"},
                                             {.id = "value", .title = "Value", .isNumeric = true}};
    return columns;
}

std::vector<std::vector<Cell>> elementRows(const ElementFormat& element)
{
    std::vector<std::vector<Cell>> rows;
    for (unsigned pattern = 0; pattern < element.values().size(); ++pattern)
        rows.push_back({element.id(), patternText(pattern, element.bits()),
                        numberCell(element.decode(pattern))});
    return rows;
}

std::vector<Column> encodedColumns(FormatComparison comparison)
{
    std::vector<Column> columns{{.id = "tensor", .title = "Tensor"},
                                {.id = "role", .title = "Role"}};
    if (comparison == FormatComparison::Rank)
        columns.push_back({.id = "rank", .title = "Rank", .isNumeric = true});
    if (comparison == FormatComparison::Rate) {
        columns.push_back({.id = "family", .title = "Family"});
        columns.push_back({.id = "best", .title = "Best"});
    }
    columns.push_back({.id = "format", .title = "Format"});
    columns.push_back({.id = "granularity", .title = "Granularity"});
    for (const auto& [id, title] : std::initializer_list<std::pair<const char*, const char*>>{
             {"row_length", "Row length"},
             {"sqnr_db", "SQNR dB"},
             {"effective_bits", "Effective bits"},
             {"db_per_bit", "dB per bit"},
             {"mse", "MSE"},
             {"max_error", "Max error"},
             {"saturated_share", "Saturated"},
             {"flushed_share", "Flushed"},
             {"blocks", "Blocks"},
             {"zero_blocks", "Zero blocks"},
             {"poisoned_blocks", "Poisoned blocks"},
             {"least_scale_blocks", "Least scale blocks"},
             {"tensor_scale", "Tensor scale"}})
        columns.push_back({.id = id, .title = title, .isNumeric = true});
    columns.push_back({.id = "notes", .title = "Notes"});
    return columns;
}

std::vector<Cell> encodedRow(const EncodedTensor& encoded, FormatComparison comparison)
{
    const FormatErrors& errors = encoded.errors;
    std::vector<Cell> cells{encoded.tensor.name, std::string(roleText(encoded.tensor.role))};
    if (comparison == FormatComparison::Rank)
        cells.emplace_back(encoded.rank);
    if (comparison == FormatComparison::Rate) {
        cells.emplace_back(encoded.family);
        cells.emplace_back(std::string(encoded.isBest ? "yes" : "no"));
    }
    cells.emplace_back(encoded.format.id);
    cells.emplace_back(encoded.format.granularity.text());
    cells.emplace_back(encoded.matrix.length);
    for (Cell& cell : errorCells(errors))
        cells.push_back(std::move(cell));
    for (const std::uint64_t count :
         {errors.blocks, errors.zeroBlocks, errors.poisonedBlocks, errors.leastBlocks})
        cells.emplace_back(count);
    cells.push_back(encoded.format.hasTensorScale ? numberCell(errors.tensorScale) : Cell{});
    cells.push_back(textCell(joinedNotes(errors.notes())));
    return cells;
}

void markBest(std::vector<EncodedTensor>& encoded)
{
    const auto exceeds = [](const EncodedTensor& other, const EncodedTensor& one) {
        const auto key = [](const EncodedTensor& point) {
            return std::pair(*point.errors.comparedDb(), -point.errors.effectiveBits);
        };
        const auto [db, bits] = key(one);
        const auto [otherDb, otherBits] = key(other);
        return key(one) == key(other) ? &other < &one : otherDb >= db && otherBits >= bits;
    };
    for (EncodedTensor& one : encoded)
        one.isBest =
            one.errors.sqnrDb() && std::ranges::none_of(encoded, [&](const EncodedTensor& other) {
                return other.errors.sqnrDb() && &other != &one && exceeds(other, one);
            });
}

const std::vector<Column>& blockColumns()
{
    static const std::vector<Column> columns{
        {.id = "block", .title = "Block", .isNumeric = true},
        {.id = "scale", .title = "Scale", .isNumeric = true},
        {.id = "scale_pattern", .title = "Scale pattern"},
        {.id = "zero_point", .title = "Zero point", .isNumeric = true},
        {.id = "index", .title = "Index", .isNumeric = true},
        {.id = "value", .title = "Value", .isNumeric = true},
        {.id = "pattern", .title = "Pattern"},
        {.id = "decoded", .title = "Decoded", .isNumeric = true},
        {.id = "error", .title = "Error", .isNumeric = true}};
    return columns;
}

std::vector<Cell> blockRow(const BlockFormat& format, std::uint64_t block, const BlockScale& scale,
                           std::uint64_t index, float value, unsigned pattern, float decoded)
{
    const bool isAffine = format.rule == ScaleRule::Affine;
    const int ownBits = format.scales == nullptr ? 32 : format.scales->bits();
    const int scaleBits = isAffine ? ownBits : format.scaleBits();
    return {block,
            numberCell(scale.scale),
            patternText(scale.pattern, scaleBits),
            isAffine ? numberCell(scale.zeroPoint) : Cell{},
            index,
            numberCell(value),
            patternText(pattern, format.element->bits()),
            numberCell(decoded),
            std::isfinite(value) ? Cell{static_cast<double>(decoded) - static_cast<double>(value)}
                                 : Cell{}};
}

}  // namespace calibscope
