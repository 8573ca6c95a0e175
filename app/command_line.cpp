// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include "core/base/error.h"
#include "core/base/nearest_word.h"
#include "core/base/utf8.h"
#include "core/base/whole_file.h"
#include "core/report/tables/output.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <limits>
#include <map>
#include <new>
#include <sstream>
#include <system_error>
#include <type_traits>
#include <utility>

namespace calibscope {

namespace {

CLI::Option* addTarget(CLI::App& app, const CommandOption& option)
{
    return std::visit(
        [&](auto* target) {
            if constexpr (std::is_same_v<decltype(target), bool*>)
                return app.add_flag(option.names, *target, option.help);
            else
                return app.add_option(option.names, *target, option.help);
        },
        option.target);
}

/// Help names the type of a range's ends; those that an int holds are of one.
CLI::Validator rangeCheck(const OptionRange& range)
{
    if (range.high > std::numeric_limits<int>::max())
        return CLI::Range(static_cast<std::uint64_t>(range.low),
                          static_cast<std::uint64_t>(range.high));
    return CLI::Range(static_cast<int>(range.low), static_cast<int>(range.high));
}

std::string complaintAboutCount(const std::string& text)
{
    const bool isWhole = !text.empty() && text.size() <= 20 &&
                         text.find_first_not_of("0123456789") == std::string::npos;
    return isWhole && text.find_first_not_of('0') != std::string::npos
               ? std::string()
               : text + " is not a whole number from 1 on";
}

void addOption(CLI::App& app, const CommandOption& option)
{
    CLI::Option* added = addTarget(app, option);
    if (option.type)
        added->type_name(*option.type);
    if (option.isRequired)
        added->required();
    if (option.delimiter != '\0')
        added->delimiter(option.delimiter);
    if (option.isOneByOne)
        added->allow_extra_args(false);
    if (option.isPositive)
        added->check(CLI::Validator(complaintAboutCount, ""));
    if (option.range)
        added->check(rangeCheck(*option.range));
    if (!option.words.empty())
        added->check(CLI::IsMember(option.words));
    if (option.complaint)
        added->check(CLI::Validator(option.complaint, ""));
    if (option.showsDefault)
        added->capture_default_str();
    if (!option.excludes.empty())
        added->excludes(option.excludes);
}

int complain(const std::string& program, const std::string& sentence, int code)
{
    sayOnStderr(program + ": " + sentence);
    return code;
}

void print(const std::string& text)
{
    Output output({});
    output.write(text);
    output.finish();
}

/// Help, or the version.
int tell(const CLI::App& app, const CLI::ParseError& wanted)
{
    std::ostringstream text;
    const int code = app.exit(wanted, text, text);
    print(text.str());
    return code;
}

/// The first word of a program that needs a subcommand must be one. Throws Error(Usage) that says
/// which one may have been meant.
void requireCommand(const Command& program, const std::string& word)
{
    std::vector<std::string> known;
    for (const Command& command : program.subcommands)
        known.push_back(command.name);
    if (word.starts_with('-') || std::ranges::find(known, word) != known.end())
        return;
    const std::string near = nearestWord(word, known);
    std::error_code ignored;
    std::string hint = "; ";
    if (!near.empty())
        hint = "; did you mean \"" + near + "\"? ";
    else if (std::filesystem::exists(word, ignored))
        hint = "; a subcommand comes before the file, as in " + program.name + " " + known.front() +
               " " + word + "; ";
    throw Error(Fault::Usage, "there is no subcommand \"{}\"{}{} --help lists them", word, hint,
                program.name);
}

/// What comes between a complaint and where to look: which option may have been meant by the first
/// that the command does not have.
std::string suggestion(const Command& command, const std::vector<std::string>& words)
{
    std::vector<std::string> known{"--help"};
    for (const CommandOption& option : command.options)
        for (std::size_t begin = option.names.find("--"); begin != std::string::npos;
             begin = option.names.find("--", begin + 2))
            known.push_back(option.names.substr(begin, option.names.find(',', begin) - begin));
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        if (!name.starts_with("--") || name.size() < 4 ||
            std::ranges::find(known, name) != known.end())
            continue;
        const std::string near = nearestWord(name, known);
        return near.empty() ? "; " : "; did you mean " + near + "? ";
    }
    return "; ";
}

int parseAndRun(const Command& program, int argc, char** argv)
{
    CLI::App app(program.help, program.name);
    app.set_version_flag("--version", program.name + " " CALIBSCOPE_VERSION);
    app.require_subcommand(program.run ? 0 : 1, 1);
    for (const CommandOption& option : program.options)
        addOption(app, option);
    std::map<const CLI::App*, const Command*> commands;
    for (const Command& command : program.subcommands) {
        CLI::App* added = app.add_subcommand(command.name, command.help);
        for (const CommandOption& option : command.options)
            addOption(*added, option);
        commands[added] = &command;
    }
    if (!program.run && argc > 1)
        requireCommand(program, argv[1]);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // Help and version go to standard output and are not a failure.
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))
            return tell(app, error);
        const std::vector<CLI::App*> begun = app.get_subcommands();
        const Command& command = begun.empty() ? program : *commands.at(begun.front());
        throw Error(Fault::Usage, "{}{}{}{} --help lists the options", error.what(),
                    suggestion(command, {argv + 1, argv + argc}), program.name,
                    begun.empty() ? "" : " " + command.name);
    }
    const std::vector<CLI::App*> named = app.get_subcommands();
    return named.empty() ? program.run() : commands.at(named.front())->run();
}

}  // namespace

void addPrinted(Command& program, Command command,
                const std::function<std::string(const Command&)>& text)
{
    command.run = [&program, text] {
        print(text(program));
        return 0;
    };
    program.subcommands.push_back(std::move(command));
}

void sayOnStderr(const std::string& sentence)
{
    std::fprintf(stderr, "%s\n", shownLine(shortened(sentence)).c_str());
}

CountedSentences::~CountedSentences()
{
    if (m_count > shown)
        sayOnStderr(m_program + ": and " + std::to_string(m_count - shown) + " more of such lines");
}

void CountedSentences::say(const std::string& sentence)
{
    if (++m_count <= shown)
        sayOnStderr(m_program + ": " + sentence);
}

int answeringFailures(const std::string& program, const std::function<int()>& work)
{
    try {
        return work();
    } catch (const Error& error) {
        return complain(program, error.what(), exitCode(error.fault()));
    } catch (const std::bad_alloc&) {
        return complain(program, "out of memory; close other programs or use a smaller dump",
                        exitCode(Fault::Input));
    } catch (const std::exception& error) {
        return complain(program, std::string("internal error: ") + error.what(),
                        exitCode(Fault::Input));
    }
}

int runProgram(const Command& program, int argc, char** argv)
{
    removePartsOnStop();
    return answeringFailures(program.name, [&] { return parseAndRun(program, argc, argv); });
}

}  // namespace calibscope
