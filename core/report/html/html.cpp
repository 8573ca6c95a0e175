// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/html.h"

#include "core/base/digest.h"
#include "core/base/embedded_text.h"
#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <variant>

namespace calibscope::html {

namespace {

constexpr EmbeddedText styles[] = {
#include "report_styles.inc"
};
constexpr EmbeddedText scripts[] = {
#include "report_scripts.inc"
};

constexpr std::string_view dash = "–";

/// "-1.5" with a true minus sign.
std::string withMinus(std::string text)
{
    if (text.starts_with('-'))
        text.replace(0, 1, "−");
    return text;
}

}  // namespace

std::string escaped(std::string_view text)
{
    std::string html;
    for (const char c : validUtf8(text)) {
        switch (c) {
        case '&': html += "&amp;"; break;
        case '<': html += "&lt;"; break;
        case '>': html += "&gt;"; break;
        case '"': html += "&quot;"; break;
        case '\'': html += "&#39;"; break;
        default: html += c;
        }
    }
    return html;
}

std::string number(double value, int digits)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "∞" : "−∞";
    constexpr double leastPlain = 1e-4;
    constexpr double firstLong = 1e6;
    const double magnitude = std::fabs(value);
    if (magnitude == 0.0 || (magnitude >= leastPlain && magnitude < firstLong)) {
        // Enough digits for the whole part: "123457", not "1.235e+05".
        const int whole =
            magnitude < 1.0 ? 1 : static_cast<int>(std::floor(std::log10(magnitude))) + 1;
        return withMinus(fmt::format("{:.{}g}", value + 0.0, std::max(digits, whole)));  // no -0
    }
    const std::string text = fmt::format("{:.{}e}", value, digits - 1);
    const std::size_t e = text.find('e');
    std::string mantissa = text.substr(0, e);
    if (mantissa.find('.') != std::string::npos)
        mantissa.erase(mantissa.find_last_not_of(".0") + 1);
    const int exponent = std::stoi(text.substr(e + 1));
    return withMinus(mantissa) + "×10<sup>" + withMinus(std::to_string(exponent)) + "</sup>";
}

std::string count(std::uint64_t value)
{
    return groupedText(value);
}

std::string percent(double share)
{
    return number(share * 100.0, 3) + "\u202f%";
}

std::string result(const ResultColumn& column, std::optional<double> value)
{
    if (!value)
        return std::string(dash);
    if (column.style == ResultColumn::Style::Share)
        return percent(*value);
    if (column.style == ResultColumn::Style::Decibels && std::isfinite(*value))
        return withMinus(fmt::format("{:.2f}", *value));
    return number(*value, column.pageDigits);
}

std::string sqnrBar(std::optional<double> sqnrDb, bool isExact, const SqnrLimits& limits)
{
    if (!sqnrDb)
        return std::string(dash);
    constexpr double full = 60.0;  // as in the window
    const char* grade = *sqnrDb < limits.poor ? "bad" : *sqnrDb < limits.good ? "fair" : "good";
    const double share = std::clamp(*sqnrDb / full, 0.0, 1.0) * 100.0;
    const std::string text =
        std::isinf(*sqnrDb) ? number(*sqnrDb) : withMinus(fmt::format("{:.1f}", *sqnrDb));
    return fmt::format("<span class=\"sqnr {}\">{}{}<i><b style=\"width:{:.0f}%\"></b></i></span>",
                       grade, isExact ? "" : "≈", text, share);
}

std::string sparkline(const std::vector<double>& columns, std::string_view summary)
{
    constexpr int height = 20;
    const double most = columns.empty() ? 0.0 : std::ranges::max(columns);
    std::string path;
    for (std::size_t column = 0; column < columns.size() && most > 0.0; ++column) {
        if (columns[column] <= 0.0)
            continue;
        // The square root lets tails be seen beside the peak.
        const double top = std::max(1.0, std::sqrt(columns[column] / most) * height);
        path += fmt::format("M{} {}v-{:.1f}h2.4v{:.1f}z", column * 3, height, top, top);
    }
    return fmt::format("<svg class=\"spark\" viewBox=\"0 0 {} {}\" role=\"img\" "
                       "aria-label=\"{}\"><path d=\"{}\"/></svg>",
                       columns.size() * 3, height, escaped(summary), path);
}

std::string breakable(std::string_view text)
{
    std::string html;
    for (const char c : escaped(text)) {
        html += c;
        if (c == '.' || c == '_' || c == '/' || c == ':')
            html += "<wbr>";
    }
    return html;
}

std::string link(std::string_view address, std::string_view text)
{
    return "<a href=\"" + escaped(address) + "\">" + breakable(text) + "</a>";
}

namespace {

using report::Medium;
using report::Page;

std::string tag(const char* name, const std::string& html)
{
    return fmt::format("<{0}>{1}</{0}>", name, html);
}

std::string quiet(const char* name, const std::string& html)
{
    return fmt::format("<{0} class=\"quiet\">{1}</{0}>", name, html);
}

std::string lineHtml(const Page::Line& line);

/// Behind what stands before; long lists are folded.
std::string appendix(const std::vector<Page::Line>& names)
{
    constexpr std::size_t mostUnfolded = 8;
    const std::string links = joinedText(names, ", ", lineHtml);
    if (names.size() > mostUnfolded)
        return "<details><summary>" + count(names.size()) + " tensors</summary>" + links +
               "</details>";
    return links.empty() ? links : "<br>" + tag("small", links);
}

std::string resultHtml(const Page::Piece& piece)
{
    const std::string mark = piece.value && !piece.isExact ? "≈" : "";
    const std::string html = mark + result(*piece.column, piece.value) + piece.text;
    return piece.isBest ? "<strong title=\"highest SQNR\">★ " + html + "</strong>" : html;
}

std::string pieceHtml(const Page::Piece& piece)
{
    using Kind = Page::Piece::Kind;
    switch (piece.kind) {
    case Kind::Text: return escaped(piece.text);
    case Kind::Strong: return tag("strong", escaped(piece.text));
    case Kind::Small: return tag("small", escaped(piece.text));
    case Kind::SmallAside: return quiet("small", escaped(piece.text));
    case Kind::Aside: return quiet("span", breakable(piece.text));
    case Kind::Code: return tag("code", escaped(piece.text));
    case Kind::Link:
        return piece.address.empty() ? breakable(piece.text) : link(piece.address, piece.text);
    case Kind::Names: return appendix(piece.names);
    case Kind::Number: return number(piece.value.value_or(0.0), piece.digits);
    case Kind::Count: return count(piece.count);
    case Kind::Result: return resultHtml(piece);
    case Kind::Sqnr: return sqnrBar(piece.value, piece.isExact, piece.limits);
    case Kind::Sparkline:
        return sparkline(piece.columns, "values from " + number(piece.range.first) + " to " +
                                            number(piece.range.second));
    case Kind::Swatch:
        return "<i class=\"swatch\" style=\"background:" + escaped(piece.text) + "\"></i>";
    case Kind::Break: return "<br>";
    case Kind::SheetOf: return {};
    }
    return {};
}

std::string lineHtml(const Page::Line& line)
{
    std::string html;
    for (const Page::Piece& piece : line)
        html += pieceHtml(piece);
    return html;
}

std::string list(const std::vector<std::string>& itemsHtml)
{
    std::string items;
    for (const std::string& item : itemsHtml)
        items += "<li>" + item + "</li>\n";
    return items.empty() ? items : "<ul>\n" + items + "</ul>\n";
}

std::string sentences(std::string_view title, const std::vector<std::string>& texts)
{
    std::vector<std::string> items;
    std::ranges::transform(texts, std::back_inserter(items), escaped);
    return items.empty() ? std::string()
                         : "<div>" + tag("h4", escaped(title)) + "\n" + list(items) + "</div>\n";
}

struct BlockWriter
{
    std::string operator()(const Page::Tiles& block) const
    {
        std::string html;
        for (const Page::Tile& tile : block.tiles)
            html += std::string(tile.isBad ? "<div class=\"tile bad\">" : "<div class=\"tile\">") +
                    tag("b", lineHtml(tile.number)) + tag("span", escaped(tile.what)) + "</div>\n";
        return "<div class=\"tiles\">\n" + html + "</div>\n";
    }
    std::string operator()(const Page::Paragraph& block) const
    {
        if (block.medium == Medium::Paper)
            return {};
        const std::string html = lineHtml(block.line);
        return (block.isQuiet ? quiet("p", html) : tag("p", html)) + "\n";
    }
    std::string operator()(const Page::List& block) const
    {
        std::vector<std::string> items;
        std::ranges::transform(block.items, std::back_inserter(items), lineHtml);
        return list(items);
    }
    std::string operator()(const Page::Facts& block) const
    {
        std::string rows;
        for (const auto& [name, line] : block.facts)
            rows += "<div>" + tag("dt", escaped(name)) + tag("dd", lineHtml(line)) + "</div>\n";
        return rows.empty() ? rows : "<dl>\n" + rows + "</dl>\n";
    }
    /// With a header row, scrollable where the window is narrow.
    std::string operator()(const Page::Table& block) const
    {
        if (block.rows.empty())
            return {};
        const auto row = [&block](const char* name, const auto& htmlOf) {
            std::string html;
            for (std::size_t column = 0; column < block.columns.size(); ++column)
                if (block.columns[column].medium != Medium::Paper)
                    html += fmt::format("<{0}{1}>{2}</{0}>", name,
                                        block.columns[column].isNumeric ? " class=\"n\"" : "",
                                        htmlOf(column));
            return tag("tr", html);
        };
        std::string rows;
        for (const std::vector<Page::Line>& cells : block.rows)
            rows +=
                row("td", [&](std::size_t column) { return lineHtml(cells.at(column)); }) + "\n";
        const std::string head =
            row("th", [&](std::size_t column) { return escaped(block.columns[column].title); });
        return "<div class=\"wide\"><table>\n<thead>" + head + "</thead>\n<tbody>\n" + rows +
               "</tbody>\n</table></div>\n";
    }
    std::string operator()(const Page::Plots& block) const
    {
        std::string html;
        for (const Page::Plot& plot : block.plots) {
            std::string files;
            for (const std::string& file : plot.files)
                files += link(file, "as " + file.substr(file.rfind('.') + 1)) + " ";
            html += "<figure><div class=\"wide\">" + plot.drawing + "</div><figcaption>" + files +
                    "</figcaption></figure>\n";
        }
        return html;
    }
    std::string operator()(const Page::Program& block) const
    {
        return "<details class=\"code\"><summary>" + escaped(block.title) + "</summary>\n<pre>" +
               escaped(block.code) + "</pre></details>\n";
    }
    std::string operator()(const Page::Statement& block) const
    {
        std::string html = "<article>\n<h3>" + escaped(block.title) + " " +
                           tag("code", escaped(block.id)) + "</h3>\n";
        if (!block.summary.empty())
            html += tag("p", escaped(block.summary)) + "\n";
        html += quiet("p", escaped(block.source)) + "\n";
        if (block.lists) {
            html += "<div class=\"pair\">\n";
            for (const auto& [title, texts] : *block.lists)
                html += sentences(title, texts);
            html += "</div>\n";
        }
        html += "</article>\n";
        return block.isTarget ? "<div id=\"" + escaped(block.id) + "\">\n" + html + "</div>\n"
                              : html;
    }
};

std::string sectionHtml(const Page::Section& section)
{
    if (section.medium == Medium::Paper)
        return {};
    std::string html;
    for (const Page::Block& part : section.blocks)
        html += block(part);
    if (html.empty() || section.title.empty())
        return html;
    return "<section>\n" + tag("h2", escaped(section.title)) + "\n" + html + "</section>\n";
}

std::string navigation(const Page& page)
{
    std::string html = lineHtml(page.links);
    for (const Page::Line& route : page.routes)
        html += tag("span", lineHtml(route));
    return html.empty() ? html : tag("nav", html) + "\n";
}

std::string base64(std::string_view bytes)
{
    constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t first = 0; first < bytes.size(); first += 3) {
        const std::size_t count = std::min<std::size_t>(bytes.size() - first, 3);
        std::uint32_t bits = 0;
        for (std::size_t byte = 0; byte < 3; ++byte)
            bits =
                bits << 8U | (byte < count ? static_cast<unsigned char>(bytes[first + byte]) : 0U);
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += digit <= count ? digits[bits >> (18U - 6U * digit) & 63U] : '=';
    }
    return text;
}

/// The one script that pages run, between its tags.
std::string script()
{
    return "\n" + std::string(scripts[0].content);
}

std::string bodyOf(const Page& page)
{
    std::string main;
    for (const Page::Section& section : page.sections)
        main += sectionHtml(section);
    const std::string subtitle =
        page.subtitle ? quiet("p", escaped(*page.subtitle)) + "\n" : std::string();
    return navigation(page) + "<header>\n" + tag("h1", escaped(page.title)) + "\n" + subtitle +
           "</header>\n<main>\n" + main + "</main>\n<footer>Calibscope " +
           escaped(CALIBSCOPE_VERSION) + "</footer>\n";
}

}  // namespace

std::string block(const Page::Block& block)
{
    return std::visit(BlockWriter{}, block);
}

std::string page(const Page& page)
{
    return "<!DOCTYPE html>\n<html lang=\"en\"" +
           std::string(page.isDark ? " class=\"dark\"" : "") +
           ">\n<head>\n<meta charset=\"utf-8\">\n"
           // Pages run our script alone and ask nobody else, whatever a name may contain.
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "img-src data:; style-src 'unsafe-inline'; script-src 'sha256-" +
           base64(sha256(script())) +
           "'; base-uri 'none'; form-action 'none'\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<title>" +
           escaped(page.title) + "</title>\n<style>\n" + std::string(styles[0].content) +
           "</style>\n</head>\n<body>\n" + bodyOf(page) + "<script>" + script() +
           "</script>\n</body>\n</html>\n";
}

}  // namespace calibscope::html
