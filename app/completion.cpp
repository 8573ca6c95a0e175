// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/completion.h"

#include "core/base/join.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace calibscope {

namespace {

/// An option as shells see it.
struct ShellOption
{
    std::vector<std::string> names;  ///< with hyphens; none: a positional one
    std::string help;
    bool takesValue = false;
    bool isRepeated = false;
    bool isFile = false;
    std::vector<std::string> words;
};

bool isFileType(const CommandOption& option)
{
    constexpr std::array fileTypes{"FILE", "FOLDER", "DIR", "CSV", "MODEL", "QUANTIZED", "DUMP"};
    const std::string type = option.type.value_or("");
    return std::ranges::any_of(fileTypes, [&type](std::string_view word) {
        return type == word || type.ends_with("|" + std::string(word));
    });
}

ShellOption shellOption(const CommandOption& option)
{
    ShellOption shell{.names = {},
                      .help = option.help,
                      .takesValue = !std::holds_alternative<bool*>(option.target),
                      .isRepeated =
                          std::holds_alternative<std::vector<std::string>*>(option.target) ||
                          std::holds_alternative<std::vector<double>*>(option.target),
                      .isFile = isFileType(option),
                      .words = option.offers ? option.offers() : option.words};
    for (std::size_t begin = 0; option.names.starts_with('-') && begin < option.names.size();) {
        const std::size_t end = std::min(option.names.find(',', begin), option.names.size());
        shell.names.push_back(option.names.substr(begin, end - begin));
        begin = end + 1;
    }
    return shell;
}

std::vector<ShellOption> shellOptions(const Command& command)
{
    std::vector<ShellOption> options;
    for (const CommandOption& option : command.options)
        options.push_back(shellOption(option));
    options.push_back({.names = {"-h", "--help"}, .help = "Print this help message and exit"});
    return options;
}

/// In single quotes, as all three shells take it.
std::string quotedText(const std::string& text)
{
    std::string quoted = "'";
    for (const char character : text)
        quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return quoted + "'";
}

/// Inside the brackets of zsh's _arguments.
std::string escaped(const std::string& text)
{
    std::string safe;
    for (const char character : text)
        safe += (std::string_view("[]:\\").find(character) == std::string_view::npos ? "" : "\\") +
                std::string(1, character);
    return safe;
}

std::vector<std::string> commandNames(const Command& program)
{
    std::vector<std::string> names;
    std::ranges::transform(program.subcommands, std::back_inserter(names), &Command::name);
    return names;
}

/// The positional option that takes files or words, if any.
const ShellOption* positional(const std::vector<ShellOption>& options)
{
    const auto found = std::ranges::find_if(
        options, [](const ShellOption& option) { return option.names.empty(); });
    return found == options.end() ? nullptr : &*found;
}

std::string bashValue(const ShellOption& option)
{
    if (!option.words.empty())
        return "COMPREPLY=($(compgen -W " + quotedText(joinedText(option.words, " ")) +
               " -- \"$cur\"))";
    return option.isFile ? "_calibscope_files" : "COMPREPLY=()";
}

std::string bashScript(const Command& program)
{
    const std::string& name = program.name;
    std::string script =
        "# Completion of " + name + " for bash: source <(" + name +
        " completion bash)\n"
        "_calibscope_files()\n{\n"
        "    local IFS=$'\\n'\n"
        "    compopt -o filenames 2>/dev/null\n"
        "    COMPREPLY=($(compgen -f -- \"$cur\"))\n}\n\n_" +
        name +
        "()\n{\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local command=${COMP_WORDS[1]}\n"
        "    if ((COMP_CWORD == 1)); then\n"
        "        COMPREPLY=($(compgen -W " +
        quotedText(joinedText(commandNames(program), " ") + " --help --version") +
        " -- \"$cur\"))\n        return\n    fi\n"
        "    case $command:$prev in\n";
    std::string names = "    case $command in\n";
    for (const Command& command : program.subcommands) {
        const std::vector<ShellOption> options = shellOptions(command);
        std::vector<std::string> all;
        for (const ShellOption& option : options) {
            all.insert(all.end(), option.names.begin(), option.names.end());
            std::vector<std::string> places;
            for (const std::string& optionName : option.names)
                places.push_back(command.name + ":" + optionName);
            if (option.takesValue && !places.empty())
                script +=
                    "    " + joinedText(places, "|") + ") " + bashValue(option) + "; return ;;\n";
        }
        const ShellOption* const place = positional(options);
        names += "    " + command.name +
                 ")\n        if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W " +
                 quotedText(joinedText(all, " ")) + " -- \"$cur\"))\n        else " +
                 (place == nullptr ? "COMPREPLY=()" : bashValue(*place)) + "; fi ;;\n";
    }
    return script + "    esac\n" + names + "    esac\n}\ncomplete -F _" + name + " " + name + "\n";
}

std::string zshValue(const ShellOption& option, const std::string& what)
{
    const std::string end = !option.words.empty() ? ":(" + joinedText(option.words, " ") + ")"
                            : option.isFile       ? ":_files"
                                                  : ": ";
    return ":" + what + end;
}

std::string zshScript(const Command& program)
{
    const std::string& name = program.name;
    std::string script = "#compdef " + name + "\n# Completion of " + name +
                         " for zsh: save it as _" + name + " in a folder of $fpath\n_" + name +
                         "()\n{\n    local -a commands\n    commands=(\n";
    for (const Command& command : program.subcommands)
        script += "        " + quotedText(command.name + ":" + command.help) + "\n";
    script += "    )\n"
              "    if ((CURRENT == 2)); then _describe command commands; return; fi\n"
              "    local command=$words[2]\n"
              "    shift words; ((CURRENT--))\n"
              "    case $command in\n";
    for (const Command& command : program.subcommands) {
        script += "    " + command.name + ") _arguments";
        for (const ShellOption& option : shellOptions(command)) {
            const std::string many = option.isRepeated ? "*" : "";
            if (option.names.empty())
                script += " \\\n        " + quotedText(many + zshValue(option, "file"));
            for (const std::string& optionName : option.names)
                script += " \\\n        " +
                          quotedText(many + optionName + "[" + escaped(option.help) + "]" +
                                     (option.takesValue ? zshValue(option, "value") : ""));
        }
        script += " ;;\n";
    }
    return script + "    esac\n}\n_" + name + " \"$@\"\n";
}

std::string fishScript(const Command& program)
{
    const std::string& name = program.name;
    std::string script = "# Completion of " + name +
                         " for fish: save it as ~/.config/fish/completions/" + name +
                         ".fish\ncomplete -c " + name + " -f\n";
    for (const Command& command : program.subcommands) {
        script += "complete -c " + name + " -n __fish_use_subcommand -a " + command.name + " -d " +
                  quotedText(command.help) + "\n";
        const std::string within =
            "complete -c " + name + " -n '__fish_seen_subcommand_from " + command.name + "'";
        for (const ShellOption& option : shellOptions(command)) {
            std::string line = within;
            for (const std::string& optionName : option.names)
                line += optionName.starts_with("--") ? " -l " + optionName.substr(2)
                                                     : " -s " + optionName.substr(1);
            const bool hasWords = !option.words.empty();
            if (option.names.empty())
                line += hasWords        ? " -a " + quotedText(joinedText(option.words, " "))
                        : option.isFile ? " -F"
                                        : "";
            else if (option.takesValue)
                line += hasWords        ? " -x -a " + quotedText(joinedText(option.words, " "))
                        : option.isFile ? " -r -F"
                                        : " -x";
            if (!option.names.empty())
                line += " -d " + quotedText(option.help);
            script += line + "\n";
        }
    }
    return script;
}

}  // namespace

const std::vector<std::string>& completingShells()
{
    static const std::vector<std::string> shells{"bash", "zsh", "fish"};
    return shells;
}

std::string completionScript(const Command& program, std::string_view shell)
{
    return shell == "zsh"    ? zshScript(program)
           : shell == "fish" ? fishScript(program)
                             : bashScript(program);
}

void addCompletion(Command& program)
{
    const auto shell = std::make_shared<std::string>();
    Command command{.name = "completion",
                    .help = "Completion script for a shell: commands and options of this program"};
    command.add({.names = "shell",
                 .target = shell.get(),
                 .help = "bash, zsh or fish",
                 .type = "SHELL",
                 .isRequired = true,
                 .words = completingShells()});
    addPrinted(program, std::move(command),
               [shell](const Command& all) { return completionScript(all, *shell); });
}

}  // namespace calibscope
