#pragma once

#include <set>
#include <string>
#include <string_view>

namespace calibscope::python {

/// Lines of Python, and the texts in resources/python whose functions they call.
struct Code
{
    std::string text;
    std::set<std::string, std::less<>> needs = {};  ///< "read", "entropy": without ".py"
    std::string problem = {};  ///< why there is no such code, as a sentence; empty: there is
};

/// A text as a Python literal; one of bytes where it is not UTF-8. Holds no line end, so that it
/// may also stand in a comment.
[[nodiscard]] std::string literal(std::string_view text);
/// A number as a Python literal that reads back to the same double.
[[nodiscard]] std::string literal(double value);

/// The texts of resources/python of these names, imports first, two empty lines between functions.
/// Throws std::invalid_argument for a name that there is not.
[[nodiscard]] std::string library(const std::set<std::string, std::less<>>& names);

}  // namespace calibscope::python
