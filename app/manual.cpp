// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/manual.h"

#include "core/base/join.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <type_traits>

namespace calibscope {

namespace {

/// Text as troff prints it: hyphens that can be searched for, and no line that is a request.
std::string plainText(std::string_view text)
{
    std::string plain;
    for (const char character : text) {
        if (character == '\\')
            plain += "\\e";
        else if (character == '-')
            plain += "\\-";
        else
            plain += character;
    }
    return plain.starts_with('.') || plain.starts_with('\'') ? "\\&" + plain : plain;
}

std::string inBold(std::string_view text)
{
    return "\\fB" + plainText(text) + "\\fR";
}

std::string inItalics(std::string_view text)
{
    return "\\fI" + plainText(text) + "\\fR";
}

/// The name of a value: that of the option's type, or of a positional option itself.
std::string valueName(const CommandOption& option)
{
    if (option.type && !option.type->empty())
        return *option.type;
    if (!option.names.starts_with('-'))
        return option.names;
    return std::holds_alternative<bool*>(option.target) ? "" : "VALUE";
}

bool takesMany(const CommandOption& option)
{
    return std::holds_alternative<std::vector<std::string>*>(option.target) ||
           std::holds_alternative<std::vector<double>*>(option.target);
}

/// "-o, --output FILE"
std::string usageOf(const CommandOption& option)
{
    const std::string value = valueName(option);
    const std::string many = takesMany(option) ? " ..." : "";
    if (!option.names.starts_with('-'))
        return inItalics(value) + many;
    std::vector<std::string> names;
    for (std::size_t begin = 0; begin < option.names.size();) {
        const std::size_t end = std::min(option.names.find(',', begin), option.names.size());
        names.push_back(inBold(option.names.substr(begin, end - begin)));
        begin = end + 1;
    }
    return joinedText(names, ", ") + (value.empty() ? "" : " " + inItalics(value)) + many;
}

/// The default of an option that shows it; empty for none.
std::string defaultText(const CommandOption& option)
{
    if (!option.showsDefault)
        return {};
    return std::visit(
        [](const auto* target) -> std::string {
            using Target = std::remove_cvref_t<decltype(*target)>;
            if constexpr (std::is_same_v<Target, std::string>)
                return *target;
            else if constexpr (std::is_same_v<Target, int> || std::is_same_v<Target, std::uint64_t>)
                return std::to_string(*target);
            else
                return {};
        },
        option.target);
}

/// A sentence ends with a full stop, whether its writer set one or not.
std::string sentence(std::string text)
{
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text.empty() || text.ends_with('.') ? text : text + ".";
}

std::string paragraphOf(const CommandOption& option)
{
    std::string text = sentence(option.help);
    if (!option.words.empty())
        text += " One of: " + joinedText(option.words, ", ") + ".";
    if (option.range)
        text += " From " + std::to_string(option.range->low) + " to " +
                std::to_string(option.range->high) + ".";
    if (const std::string usual = defaultText(option); !usual.empty())
        text += " Default: " + usual + ".";
    if (option.isRequired)
        text += " Required.";
    if (!option.excludes.empty())
        text += " Not together with " + option.excludes + ".";
    return ".TP\n" + usageOf(option) + "\n" + plainText(text) + "\n";
}

std::string paragraphsOf(const Command& command)
{
    std::string paragraphs;
    for (const CommandOption& option : command.options)
        paragraphs += paragraphOf(option);
    return paragraphs;
}

/// "calib scales [OPTIONS] FILE ..."
std::string synopsis(const std::string& words, const Command& command)
{
    std::string line = inBold(words);
    if (std::ranges::any_of(command.options, [](const CommandOption& option) {
            return option.names.starts_with('-');
        }))
        line += " [" + inItalics("OPTIONS") + "]";
    for (const CommandOption& option : command.options)
        if (!option.names.starts_with('-'))
            line += " " + (option.isRequired ? usageOf(option) : "[" + usageOf(option) + "]");
    return line;
}

}  // namespace

std::string manualPage(const Command& program)
{
    std::string title = program.name;
    std::ranges::transform(title, title.begin(),
                           [](unsigned char letter) { return std::toupper(letter); });
    std::string page = ".TH " + title +
                       " 1 \"\" \"Calibscope " CALIBSCOPE_VERSION
                       "\" \"User Commands\"\n.SH NAME\n" +
                       program.name + " \\- " + plainText(program.help) + "\n.SH SYNOPSIS\n";
    if (program.run)
        page += synopsis(program.name, program) + "\n.br\n";
    page += inBold(program.name) + " " + inItalics("SUBCOMMAND") + " [" + inItalics("OPTIONS") +
            "]\n.SH OPTIONS\n" + paragraphsOf(program) +
            ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nHelp, also of each subcommand.\n"
            ".TP\n\\fB\\-\\-version\\fR\nThe version.\n.SH SUBCOMMANDS\n";
    for (const Command& command : program.subcommands)
        page += ".SS " + synopsis(program.name + " " + command.name, command) + "\n" +
                plainText(sentence(command.help)) + "\n" + paragraphsOf(command);
    return page +
           ".SH EXIT STATUS\n"
           ".TP\n0\nAll that was asked for was written.\n"
           ".TP\n1\nBeyond a limit of an option, or wrong under \\-\\-strict.\n"
           ".TP\n2\nThe command line names something that does not exist or is not accepted.\n"
           ".TP\n3\nA file or tensor is missing or unreadable; all others were written.\n"
           ".TP\n4\nThe output could not be written.\n"
           ".SH SEE ALSO\n.BR calib (1),\n.BR calibscope (1)\n.PP\n"
           "Pages on every part: share/doc/calibscope/docs below the prefix of the installation.\n";
}

void addManual(Command& program)
{
    addPrinted(program,
               {.name = "manual", .help = "Manual page of this program, for man and groff"},
               manualPage);
}

}  // namespace calibscope
