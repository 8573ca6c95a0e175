// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/core.h>

#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace calibscope {

/// Whose fault a failure is, from which the programs' exit codes follow (see exitCode()).
enum class Fault {
    Usage,   ///< an option, name or setting that does not exist or is out of range
    Input,   ///< a file or tensor that could not be read
    Output,  ///< a file or folder that could not be written
    Runner,  ///< a program that runs models: it could not be started, or failed
};

/// A failure that a user can mend. The text reads "where: what; remedy" and names the offending
/// value.
class Error : public std::runtime_error
{
public:
    Error(Fault fault, const std::string& text) : std::runtime_error(text), m_fault(fault) {}
    /// The text is a format of fmt with its arguments.
    template <typename First, typename... Rest>
    Error(Fault fault, fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest)
        : Error(fault, fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...))
    {}
    [[nodiscard]] Fault fault() const { return m_fault; }

private:
    Fault m_fault;
};

/// Does the work, of which there are other parts: the sentence where this one's input is at fault.
template <typename Work>
[[nodiscard]] std::optional<std::string> inputProblem(const Work& work)
{
    try {
        work();
        return std::nullopt;
    } catch (const Error& error) {
        if (error.fault() != Fault::Input)
            throw;
        return error.what();
    }
}

/// Exit code of a program that stops with such a failure: 2 usage, 3 input, 4 output, 5 runner.
[[nodiscard]] constexpr int exitCode(Fault fault)
{
    switch (fault) {
    case Fault::Usage: return 2;
    case Fault::Input: return 3;
    case Fault::Output: return 4;
    case Fault::Runner: return 5;
    }
    return 3;
}

/// The fault with that exit code; nothing for others.
[[nodiscard]] constexpr std::optional<Fault> faultFromExitCode(int code)
{
    for (const Fault fault : {Fault::Usage, Fault::Input, Fault::Output, Fault::Runner})
        if (exitCode(fault) == code)
            return fault;
    return std::nullopt;
}

}  // namespace calibscope
