// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// A command line as data. What parses it lies behind command_line.cpp: its header takes longer to
/// compile than all of a subcommand.
namespace calibscope {

/// Where an option's words go. What is there before is the default; a bool is a flag.
using OptionTarget =
    std::variant<bool*, int*, std::uint64_t*, std::string*, std::optional<int>*,
                 std::optional<std::uint64_t>*, std::vector<std::string>*, std::vector<double>*>;

/// Whole numbers from `low` to `high`, both included.
struct OptionRange
{
    std::int64_t low = 0;
    std::int64_t high = 0;
};

struct CommandOption
{
    std::string names;  ///< "--scale", "-o,--output"; without hyphens: a positional one
    OptionTarget target;
    std::string help;
    std::optional<std::string> type = {};  ///< what help calls the value; nothing: as C++ calls it
    bool isRequired = false;
    bool showsDefault = false;
    bool isOneByOne = false;  ///< of a list: each name is followed by one value
    char delimiter = '\0';    ///< of a list: parts a word into values
    bool isPositive = false;
    std::optional<OptionRange> range = {};
    std::vector<std::string> words = {};  ///< the only values; none: any
    /// Values that a shell completes, of which there may be others.
    std::function<std::vector<std::string>()> offers = {};
    std::function<std::string(const std::string&)> complaint = {};  ///< of a value; empty: none
    std::string excludes = {};  ///< name of an option that was added before
};

/// A program or one of its subcommands: options and what is to be done when they are understood.
struct Command
{
    std::string name;
    std::string help;
    std::vector<CommandOption> options = {};
    /// Returns an exit code: 0, or 3 where some of what was asked for could not be read and the
    /// rest was written. Any other failure throws Error. None: a subcommand is required.
    std::function<int()> run = {};
    std::vector<Command> subcommands = {};

    void add(CommandOption option) { options.push_back(std::move(option)); }
};

/// Adds a subcommand that prints a text made of the whole program, of which the subcommand is a part.
/// The program must live as long as it runs.
void addPrinted(Command& program, Command command,
                const std::function<std::string(const Command&)>& text);

/// A sentence for people, as one line on stderr: a name in it can't move the cursor or forge
/// another line (shownLine()), nor is it shown whole if it is endless (shortened()).
void sayOnStderr(const std::string& sentence);

/// Sentences of one kind on stderr: the first ones, and at the end of its life how many more.
class CountedSentences
{
public:
    static constexpr std::size_t shown = 100;

    explicit CountedSentences(std::string program) : m_program(std::move(program)) {}
    CountedSentences(const CountedSentences&) = delete;
    CountedSentences& operator=(const CountedSentences&) = delete;
    ~CountedSentences();

    void say(const std::string& sentence);

private:
    std::string m_program;
    std::size_t m_count = 0;
};

/// The exit code of some work. Every failure becomes a sentence on stderr, begun with the program's
/// name, and an exit code: 2 usage, 3 input, 4 output.
int answeringFailures(const std::string& program, const std::function<int()>& work);

/// Parses the command line and runs the subcommand that it names, else the program itself;
/// answers failures.
int runProgram(const Command& program, int argc, char** argv);

}  // namespace calibscope
