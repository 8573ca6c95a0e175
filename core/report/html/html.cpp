#include "core/report/html/html.h"

#include "core/base/embedded_text.h"
#include "core/base/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope::html {

namespace {

constexpr EmbeddedText styles[] = {
#include "report_styles.inc"
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
    std::string digits = std::to_string(value);
    for (std::size_t place = digits.size(); place > 3; place -= 3)
        digits.insert(place - 3, "\u202f");  // narrow no-break space
    return digits;
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

std::string sqnrBar(std::optional<double> sqnrDb, bool isExact)
{
    if (!sqnrDb)
        return std::string(dash);
    // As in the application's list: trouble below 20 dB, worth a look below 35, full at 60.
    constexpr double trouble = 20.0;
    constexpr double fair = 35.0;
    constexpr double full = 60.0;
    const char* grade = *sqnrDb < trouble ? "bad" : *sqnrDb < fair ? "fair" : "good";
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

void Table::column(std::string_view title, bool isNumeric)
{
    m_columns.push_back({std::string(title), isNumeric});
}

void Table::row(const std::vector<std::string>& cellsHtml, std::string_view cssClass)
{
    m_rows += cssClass.empty() ? "<tr>" : "<tr class=\"" + std::string(cssClass) + "\">";
    for (std::size_t cell = 0; cell < cellsHtml.size(); ++cell)
        m_rows += (m_columns.at(cell).isNumeric ? "<td class=\"n\">" : "<td>") + cellsHtml[cell] +
                  "</td>";
    m_rows += "</tr>\n";
}

std::string Table::html() const
{
    if (m_rows.empty())
        return {};
    std::string head;
    for (const Column& column : m_columns)
        head += (column.isNumeric ? "<th class=\"n\">" : "<th>") + escaped(column.title) + "</th>";
    return "<div class=\"wide\"><table>\n<thead><tr>" + head + "</tr></thead>\n<tbody>\n" + m_rows +
           "</tbody>\n</table></div>\n";
}

std::string list(const std::vector<std::string>& itemsHtml)
{
    std::string items;
    for (const std::string& item : itemsHtml)
        items += "<li>" + item + "</li>\n";
    return items.empty() ? items : "<ul>\n" + items + "</ul>\n";
}

std::string foldedCode(std::string_view title, std::string_view code)
{
    return "<details class=\"code\"><summary>" + escaped(title) + "</summary>\n<pre>" +
           escaped(code) + "</pre></details>\n";
}

std::string section(std::string_view title, const std::string& contentHtml)
{
    if (contentHtml.empty())
        return {};
    return "<section>\n<h2>" + escaped(title) + "</h2>\n" + contentHtml + "</section>\n";
}

std::string facts(const Facts& namesAndHtml)
{
    std::string rows;
    for (const auto& [name, html] : namesAndHtml)
        rows += "<div><dt>" + escaped(name) + "</dt><dd>" + html + "</dd></div>\n";
    return rows.empty() ? rows : "<dl>\n" + rows + "</dl>\n";
}

std::string footer()
{
    return "<footer>Calibscope " + escaped(CALIBSCOPE_VERSION) + "</footer>\n";
}

std::string page(std::string_view title, const std::string& bodyHtml, bool isDark)
{
    return "<!DOCTYPE html>\n<html lang=\"en\"" + std::string(isDark ? " class=\"dark\"" : "") +
           ">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<title>" +
           escaped(title) + "</title>\n<style>\n" + std::string(styles[0].content) +
           "</style>\n</head>\n<body>\n" + bodyHtml + "</body>\n</html>\n";
}

}  // namespace calibscope::html
