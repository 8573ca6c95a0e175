// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/metrics/sqnr_limits.h"
#include "core/report/tables/scales_table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace calibscope::report {

/// Where a part of a page is shown. Paper has less room, and nothing to follow a link with.
enum class Medium { Both, Screen, Paper };

/// A page of a report: what it tells, apart from how it looks. HTML (html::page()) and PDF are made
/// from it.
struct Page
{
    /// A piece of a line: text, or a number that each medium writes in its way.
    struct Piece
    {
        enum class Kind {
            Text,
            Strong,
            Small,       ///< small print; not on paper
            SmallAside,  ///< and of less weight
            Aside,       ///< of less weight; a name, which may be broken
            Code,
            Link,    ///< `address` is seen from the page; empty: a name without a page of its own
            Names,   ///< `names` as an appendix to the line; folded where there are many
            Number,  ///< with `digits` significant digits
            Count,   ///< a whole number
            Result,  ///< of `column`; a dash without one
            Sqnr,    ///< a number of decibels, graded; a dash without one
            Sparkline,  ///< `columns` of counts between the ends of `range`; not on paper
            Swatch,     ///< the colour in `text`; not on paper
            Break,      ///< a new line
            SheetOf,    ///< the number of the sheet that the tensor of `line` has; on paper alone
        };
        Kind kind = Kind::Text;
        std::string text = {};  ///< of a Result: what follows its number
        std::string address = {};
        std::optional<double> value = {};
        std::uint64_t count = 0;
        int digits = 4;
        const ResultColumn* column = nullptr;
        bool isExact = true;
        bool isBest = false;     ///< of a Result: the highest SQNR
        bool isWorst = false;    ///< of a Sqnr: the lowest of its row
        SqnrLimits limits = {};  ///< of a Sqnr: what it is graded by
        std::vector<double> columns = {};
        std::pair<double, double> range = {};
        std::vector<std::vector<Piece>> names = {};
        std::size_t line = 0;
    };
    using Line = std::vector<Piece>;

    struct Tile
    {
        Line number;
        std::string what;
        bool isBad = false;
    };
    /// Numbers that are seen first. Not on paper.
    struct Tiles
    {
        std::vector<Tile> tiles;
    };
    struct Paragraph
    {
        Line line;
        bool isQuiet = false;
        Medium medium = Medium::Both;
    };
    struct List
    {
        std::vector<Line> items;
    };
    /// Names and values beside each other.
    struct Facts
    {
        std::vector<std::pair<std::string, Line>> facts;
    };
    struct Table
    {
        struct Column
        {
            std::string title;
            bool isNumeric = false;
            Medium medium = Medium::Both;
            bool isNumbered = false;  ///< on paper a number stands for the title, which is too long
        };
        std::vector<Column> columns;
        std::vector<std::vector<Line>> rows;  ///< a cell for each column; no rows: no table
    };
    struct Plot
    {
        std::string drawing;             ///< an element `svg`, as it is
        std::vector<std::string> files;  ///< the same as pictures, seen from the page
    };
    /// On paper they are drawn whether there are pictures or not.
    struct Plots
    {
        std::vector<Plot> plots;
    };
    /// Lines of a program, folded under a title. Not on paper.
    struct Program
    {
        std::string title;
        std::string code;
    };
    /// Description of a recipe or a calibrator, and its source.
    struct Statement
    {
        std::string title;
        std::string id;
        std::string summary;  ///< of a calibrator
        std::string source;
        std::optional<std::vector<std::pair<std::string, std::vector<std::string>>>> lists = {};
        std::vector<std::string> settings = {};  ///< on paper alone
        bool isTarget = false;                   ///< of links to "#id"
    };
    using Block = std::variant<Tiles, Paragraph, List, Facts, Table, Plots, Program, Statement>;

    /// A heading and what belongs under it; nothing at all if that is empty.
    struct Section
    {
        std::string title;  ///< empty: no heading
        std::vector<Block> blocks;
        Medium medium = Medium::Both;
        bool startsSheet = false;  ///< on paper
        bool isBehindAll = false;  ///< on paper behind the tensors' sheets
    };

    std::string title;
    std::optional<std::string> subtitle = {};
    Line links = {};                ///< to where it belongs
    std::vector<Line> routes = {};  ///< groups of further links
    std::vector<Section> sections = {};
    bool isDark = false;
};

/// Pieces of lines.
namespace piece {

using Kind = Page::Piece::Kind;

[[nodiscard]] inline Page::Piece text(std::string text, Kind kind = Kind::Text)
{
    return {.kind = kind, .text = std::move(text)};
}
[[nodiscard]] inline Page::Piece link(std::string address, std::string text)
{
    return {.kind = Kind::Link, .text = std::move(text), .address = std::move(address)};
}
[[nodiscard]] inline Page::Piece number(double value, int digits = 4)
{
    return {.kind = Kind::Number, .value = value, .digits = digits};
}
[[nodiscard]] inline Page::Piece count(std::uint64_t value)
{
    return {.kind = Kind::Count, .count = value};
}
[[nodiscard]] inline Page::Piece result(const ResultColumn& column, std::optional<double> value,
                                        bool isExact = true, bool isBest = false)
{
    return {.kind = Kind::Result,
            .value = value,
            .column = &column,
            .isExact = isExact,
            .isBest = isBest};
}
[[nodiscard]] inline Page::Piece sqnr(std::optional<double> value, bool isExact,
                                      const SqnrLimits& limits, bool isWorst = false)
{
    return {.kind = Kind::Sqnr,
            .value = value,
            .isExact = isExact,
            .isWorst = isWorst,
            .limits = limits};
}

}  // namespace piece

}  // namespace calibscope::report
