// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>

namespace calibscope {

/// Why the values of a tensor can't be read: a kind for programs, a sentence for people. Empty:
/// they can.
struct Unreadable
{
    enum class Reason {
        None,
        Other,          ///< damaged, unreachable, not to be quantized, ...: the sentence says it
        OtherFile,      ///< they lie in another file, and other files are not allowed
        NotNumbers,     ///< it holds texts, records, ...
        ElementType,    ///< its elements are numbers of an unknown kind
        MissingFilter,  ///< compressed with a filter that is not installed
        Mask            ///< the mask that it names does not fit it
    };

    Unreadable() = default;
    Unreadable(Reason why, std::string text)
        : reason(text.empty() ? Reason::None : why), sentence(std::move(text))
    {}
    Unreadable(std::string text) : Unreadable(Reason::Other, std::move(text)) {}
    Unreadable(const char* text) : Unreadable(std::string(text)) {}

    [[nodiscard]] bool empty() const { return sentence.empty(); }
    bool operator==(const Unreadable&) const = default;
    bool operator==(const char* text) const { return sentence == text; }
    bool operator==(const std::string& text) const { return sentence == text; }

    Reason reason = Reason::None;
    std::string sentence;
};

}  // namespace calibscope
