// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/codec/values.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Many rows of one struct as one array of numbers for each member: a tenth of the bytes of a list
/// of objects, and read in a hundredth of the time.
namespace calibscope::protocol {

namespace table {

using Notes = std::vector<std::string>;

/// Rows of every table hold Extents, seven numbers of 8 bytes.
constexpr std::size_t leastRowBytes = 56;

template <typename Value>
constexpr bool isOptional = false;
template <typename Value>
inline constexpr bool isOptional<std::optional<Value>> = true;

/// Element type of a member's column: doubles stay, counts are 64 bits, flags and kinds one byte,
/// other whole numbers (all small) become doubles.
template <typename Value>
using Cell =
    std::conditional_t<std::is_enum_v<Value> || std::same_as<Value, bool>, std::uint8_t,
                       std::conditional_t<std::unsigned_integral<Value>, std::uint64_t, double>>;

/// Ids as lists of words, values of all rows in one array.
template <typename At>
void writeMetrics(Json& columns, const std::string& name, std::size_t count, const At& at)
{
    std::vector<std::vector<std::string>> ids(count);
    std::vector<double> values;
    for (std::size_t row = 0; row < count; ++row)
        for (const auto& [id, value] : at(row)) {
            ids[row].push_back(id);
            values.push_back(value);
        }
    columns[name + " ids"] = writeWordLists(ids);
    columns[name + " values"] = Json{{"values", write(values)}};  // not as long as the table
}

template <typename At>
void readMetrics(const Json& columns, const std::string& name, std::size_t count, const At& at,
                 const Where& where)
{
    const Where here{&where, name};
    const std::vector<std::vector<std::string>> ids =
        readWordLists(member(columns, name + " ids", where), count, here);
    const Json& packed = member(member(columns, name + " values", where), "values", here);
    const std::vector<double> values = readNumbers<double>(packed, here);
    std::size_t used = 0;
    for (std::size_t row = 0; row < count; ++row)
        for (const std::string& id : ids[row]) {
            if (used == values.size())
                here.fail("has fewer values than metrics");
            at(row).emplace_back(id, values[used++]);
        }
    if (used != values.size())
        here.fail("has more values than metrics");
}

/// Writes the member that at(row) gives, under its name; members of members as "outer.inner".
template <typename Value, typename At>
void writeColumn(Json& columns, const std::string& name, std::size_t count, const At& at)
{
    if constexpr (HasFields<Value>) {
        forEachField<Value>([&](const auto& field) {
            using Member = std::remove_cvref_t<decltype(at(0).*field.member)>;
            writeColumn<Member>(
                columns, name + "." + std::string(field.name), count,
                [&](std::size_t row) -> const Member& { return at(row).*field.member; });
        });
    } else if constexpr (isOptional<Value>) {
        using Inner = typename Value::value_type;
        std::vector<std::uint8_t> has(count);
        for (std::size_t row = 0; row < count; ++row)
            has[row] = at(row).has_value() ? 1 : 0;
        columns[name + "?"] = writeNumbers(std::span<const std::uint8_t>(has));
        const Inner none{};
        writeColumn<Inner>(columns, name, count, [&](std::size_t row) -> const Inner& {
            return at(row) ? *at(row) : none;
        });
    } else if constexpr (std::same_as<Value, Notes>) {
        std::vector<Notes> lists(count);
        for (std::size_t row = 0; row < count; ++row)
            lists[row] = at(row);
        columns[name] = writeWordLists(lists);
    } else if constexpr (std::same_as<Value, MetricValues>) {
        writeMetrics(columns, name, count, at);
    } else {
        std::vector<Cell<Value>> cells(count);
        for (std::size_t row = 0; row < count; ++row)
            cells[row] = static_cast<Cell<Value>>(at(row));
        columns[name] = writeNumbers(std::span<const Cell<Value>>(cells));
    }
}

template <typename CellType>
std::vector<CellType> readCells(const Json& columns, const std::string& name, std::size_t count,
                                const Where& where)
{
    const Where here{&where, name};
    std::vector<CellType> cells = readNumbers<CellType>(member(columns, name, where), here);
    if (cells.size() != count)
        here.fail("has another length than its table");
    return cells;
}

template <typename Value>
Value fromCell(Cell<Value> cell, const Where& where)
{
    if constexpr (std::is_enum_v<Value>) {
        if (cell >= enumCount<Value>)
            where.fail("holds a kind that is not known");
        return static_cast<Value>(cell);
    } else if constexpr (std::same_as<Value, bool>) {
        return cell != 0;
    } else if constexpr (std::signed_integral<Value>) {
        if (!(cell >= static_cast<double>(std::numeric_limits<Value>::min()) &&
              cell <= static_cast<double>(std::numeric_limits<Value>::max())))
            where.fail("holds a number that does not fit");
        return static_cast<Value>(cell);
    } else {
        return cell;
    }
}

/// Fills the member that at(row) gives.
template <typename Value, typename At>
void readColumn(const Json& columns, const std::string& name, std::size_t count, const At& at,
                const Where& where)
{
    if constexpr (HasFields<Value>) {
        forEachField<Value>([&](const auto& field) {
            using Member = std::remove_cvref_t<decltype(at(0).*field.member)>;
            readColumn<Member>(
                columns, name + "." + std::string(field.name), count,
                [&](std::size_t row) -> Member& { return at(row).*field.member; }, where);
        });
        if constexpr (HasCheck<Value>)
            for (std::size_t row = 0; row < count; ++row)
                check(at(row), where);
    } else if constexpr (isOptional<Value>) {
        using Inner = typename Value::value_type;
        const auto has = readCells<std::uint8_t>(columns, name + "?", count, where);
        for (std::size_t row = 0; row < count; ++row)
            if (has[row] != 0)
                at(row).emplace();
        Inner absent{};
        readColumn<Inner>(
            columns, name, count,
            [&](std::size_t row) -> Inner& { return at(row) ? *at(row) : absent; }, where);
    } else if constexpr (std::same_as<Value, Notes>) {
        const Where here{&where, name};
        std::vector<Notes> lists = readWordLists(member(columns, name, where), count, here);
        for (std::size_t row = 0; row < count; ++row)
            at(row) = std::move(lists[row]);
    } else if constexpr (std::same_as<Value, MetricValues>) {
        readMetrics(columns, name, count, at, where);
    } else {
        const auto cells = readCells<Cell<Value>>(columns, name, count, where);
        const Where here{&where, name};
        for (std::size_t row = 0; row < count; ++row)
            at(row) = fromCell<Value>(cells[row], here);
    }
}

}  // namespace table

template <typename Row>
Json writeTable(const std::vector<Row>& rows)
{
    Json columns = Json::object();
    table::writeColumn<Row>(columns, "row", rows.size(),
                            [&](std::size_t row) -> const Row& { return rows[row]; });
    return {{"count", rows.size()}, {"columns", std::move(columns)}};
}

template <typename Row>
void readTable(const Json& json, std::vector<Row>& rows, const Where& where)
{
    std::size_t count = 0;
    read(member(json, "count", where), count, where);
    const Json& columns = member(json, "columns", where);
    if (!columns.is_object())
        where.fail("is not a table");
    // Before room is made: a count that the columns do not have must not exhaust memory.
    std::size_t bytes = 0;
    for (const auto& [name, column] : columns.items()) {
        if (!column.is_object() || !column.contains("bytes"))
            continue;
        if (column.value("count", Json()) != count)
            Where{&where, name}.fail("has another length than its table");
        if (column["bytes"].is_binary())
            bytes += column["bytes"].get_binary().size();
    }
    if (count > bytes / table::leastRowBytes)
        where.fail("has more rows than its columns hold");
    rows.assign(count, Row{});
    table::readColumn<Row>(
        columns, "row", count, [&](std::size_t row) -> Row& { return rows[row]; }, where);
}

}  // namespace calibscope::protocol
