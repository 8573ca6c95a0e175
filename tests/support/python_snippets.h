// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/catch.h"
#include "tests/support/h5py.h"
#include "tests/support/run_program.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/// Snippets of Python that `calib python` gives, run, and their numbers held against calib's own.
namespace calibscope::test {

using Words = std::vector<std::string>;
using Numbers = std::map<std::string, double>;

/// Sums in another order differ by rounding: of 1e5 values by less than this.
constexpr double sumRounding = 1e-12;
/// The same in decibels.
constexpr double decibelRounding = 1e-9;

inline std::string calib(const Words& words)
{
    const ProgramRun run = runProgram("calib", words);
    INFO(run.errors);
    REQUIRE(run.exitCode == 0);
    return run.output;
}

inline Words joined(Words words, const Words& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// Snippets that are run by one Python process: NumPy takes longer to start than most of them.
class Snippets
{
public:
    /// The snippet that `calib python` gives for these words; its place in the list.
    std::size_t add(const Words& words)
    {
        m_texts.push_back(calib(joined({"python"}, words)));
        return m_texts.size() - 1;
    }
    void run()
    {
        for (std::size_t index = 0; index < m_texts.size(); ++index)
            writeBytes(m_folder.file(name(index, ".py")), m_texts[index]);
        runH5py(m_folder, "import contextlib\n"
                          "for index in range(" +
                              std::to_string(m_texts.size()) +
                              "):\n"
                              "    text = open(f'{index}.py', encoding='utf-8').read()\n"
                              "    with open(f'{index}.txt', 'w') as out, "
                              "contextlib.redirect_stdout(out):\n"
                              "        exec(compile(text, f'{index}.py', 'exec'), {})\n");
    }
    [[nodiscard]] std::string output(std::size_t index) const
    {
        return readBytes(m_folder.file(name(index, ".txt")));
    }
    /// What the snippet printed as lines "name value".
    [[nodiscard]] Numbers numbers(std::size_t index) const
    {
        std::istringstream lines(output(index));
        Numbers numbers;
        std::string name;
        std::string value;
        while (lines >> name >> value)
            numbers[name] = std::stod(value);
        return numbers;
    }
    [[nodiscard]] const std::string& text(std::size_t index) const { return m_texts[index]; }

private:
    static std::string name(std::size_t index, const char* ending)
    {
        return std::to_string(index) + ending;
    }

    TemporaryFolder m_folder;
    std::vector<std::string> m_texts;
};

inline double numberOf(const nlohmann::json& value)
{
    return value.is_string() ? std::stod(value.get<std::string>()) : value.get<double>();
}

/// What `calib scales` has for a name of a snippet: "scale", or "scale[3]" for a channel.
inline double scalesNumber(const nlohmann::json& outcome, const std::string& name)
{
    const auto bracket = name.find('[');
    if (bracket == std::string::npos)
        return numberOf(outcome.at(name));
    return numberOf(outcome.at("channels")
                        .at(name.substr(0, bracket))
                        .at(std::stoul(name.substr(bracket + 1))));
}

inline bool isSame(const std::string& name, double one, double other)
{
    const double rounding =
        name == "sqnr_db" ? decibelRounding : sumRounding * std::max(std::abs(other), 1e-300);
    return one == other || std::abs(one - other) <= rounding;
}

inline void checkNumbers(const Numbers& numbers, const nlohmann::json& outcome)
{
    CHECK_FALSE(numbers.empty());
    for (const auto& [name, value] : numbers) {
        INFO(outcome.at("tensor") << ", " << outcome.value("recipe", "") << ": " << name);
        CHECK(isSame(name, value, scalesNumber(outcome, name)));
    }
}

/// Statistics by name, as `calib stats` prints them.
inline void checkStatistics(const Numbers& numbers, const nlohmann::json& row)
{
    for (const auto& [name, value] : numbers) {
        INFO(row.at("tensor") << ": " << name << " " << value);
        const double expected = numberOf(row.at(name));
        if (name == "mean")
            CHECK(std::abs(value - expected) <= sumRounding * numberOf(row.at("absmax")));
        else if (name == "kurtosis")  // 3 is taken off after the division
            CHECK(std::abs(value - expected) <= sumRounding * (std::abs(expected) + 3.0));
        else if (name == "std")
            CHECK(isSame(name, value, expected));
        else  // counts, ends and percentiles are exact
            CHECK(value == expected);
    }
}

}  // namespace calibscope::test
