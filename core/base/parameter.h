// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace calibscope {

/// One setting of an algorithm, described well enough for a form, a command line option and a page
/// of documentation.
struct Parameter
{
    enum class Kind {
        Number,        ///< any number in [least, greatest]
        Integer,       ///< a whole number in [least, greatest]
        Choice,        ///< one of `words`; without words any text, for a table and a command line
        NumberOrWord,  ///< a number in [least, greatest] or one of `words`
    };

    std::string id;     ///< as written on the command line and in CSV, for example "alpha"
    std::string label;  ///< as shown in a form
    std::string help;   ///< one sentence
    Kind kind = Kind::Number;
    std::string fallback;  ///< the default, as text
    double least = 0.0;
    double greatest = 0.0;
    double step = 0.0;                    ///< of a spin box
    std::vector<std::string> words = {};  ///< of Choice and NumberOrWord
    bool isWhole = false;                 ///< NumberOrWord takes whole numbers only
    std::string unit = {};                ///< "%", "bins"; empty: the tensor's own

    enum class Schemes { All, Symmetric, Affine };
    Schemes schemes = Schemes::All;  ///< under which it has an effect
    bool isPerChannel = false;  ///< takes also numbers separated by blanks, one for each channel
};

/// A choice among these words, the first of them the default. Throws std::out_of_range without one.
[[nodiscard]] Parameter choiceParameter(std::string id, std::string label, std::string help,
                                        std::vector<std::string> words);

}  // namespace calibscope
