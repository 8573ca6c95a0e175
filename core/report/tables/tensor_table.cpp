// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/tensor_table.h"

#include "core/base/join.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

namespace {

Cell axisCell(const std::optional<int>& axis)
{
    return axis ? Cell(static_cast<std::uint64_t>(*axis)) : Cell();
}

}  // namespace

const std::vector<Column>& tensorColumns()
{
    static const std::vector<Column> list{
        {.id = "tensor", .title = "Tensor", .isNumeric = false},
        {.id = "role", .title = "Role", .isNumeric = false},
        {.id = "op", .title = "Op", .isNumeric = false},
        {.id = "type", .title = "Type", .isNumeric = false},
        {.id = "other_types", .title = "Other types", .isNumeric = false},
        {.id = "lossy", .title = "Lossy", .isNumeric = false},
        {.id = "shape", .title = "Shape", .isNumeric = false},
        {.id = "batch_axis", .title = "Batch axis", .isNumeric = true},
        {.id = "channel_axis", .title = "Channel axis", .isNumeric = true},
        {.id = "batches", .title = "Batches", .isNumeric = true},
        {.id = "layout_rule", .title = "Layout rule", .isNumeric = false},
        {.id = "compression", .title = "Compression", .isNumeric = false},
        {.id = "checksum", .title = "Checksum", .isNumeric = false},
        {.id = "readable", .title = "Readable", .isNumeric = false},
        {.id = "parts", .title = "Parts", .isNumeric = true},
        {.id = "guess", .title = "Guess", .isNumeric = false},
        {.id = "evidence", .title = "Evidence", .isNumeric = false}};
    return list;
}

std::string otherTypesText(const TensorInfo& tensor)
{
    return joinedText(tensor.otherTypes, " ", [](ElementKind type) { return elementText(type); });
}

std::vector<Cell> feedRow(const TensorInfo& feed)
{
    constexpr std::size_t roleColumn = 1;
    std::vector<Cell> row = tensorRow(feed);
    row[roleColumn] = std::string("feed");
    return row;
}

std::vector<Cell> tensorRow(const TensorInfo& tensor)
{
    std::vector<std::string> evidence = tensor.evidence;
    if (tensor.mask)
        evidence.push_back(maskText(tensor));
    return {tensor.name,
            std::string(roleText(tensor.role)),
            textCell(tensor.op),
            textCell(typeText(tensor)),
            textCell(otherTypesText(tensor)),
            textCell(tensor.lossy),
            elementText(tensor).empty() ? Cell() : Cell(shapeText(tensor.shape)),
            axisCell(tensor.batchAxis),
            axisCell(tensor.channelAxis),
            tensor.isReadable() ? Cell(tensor.batchCount()) : Cell(),
            tensor.layoutRule + (tensor.isGuess ? " (guess)" : ""),
            textCell(tensor.compression),
            textCell(tensor.checksum),
            tensor.isReadable() ? std::string("yes") : tensor.unreadable.sentence,
            static_cast<std::uint64_t>(std::max<std::size_t>(tensor.parts.size(), 1)),
            std::string(tensor.isGuess ? "yes" : "no"),
            textCell(joinedText(evidence, "; "))};
}

}  // namespace calibscope
