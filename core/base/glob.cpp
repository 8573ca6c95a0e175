// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/glob.h"

namespace calibscope {

bool matchesGlob(std::string_view text, std::string_view pattern)
{
    std::size_t at = 0;
    std::size_t want = 0;
    std::size_t star = std::string_view::npos;  // last star seen, and where its match ends
    std::size_t starEnd = 0;
    while (at < text.size()) {
        if (want < pattern.size() && pattern[want] == '*') {
            star = want++;
            starEnd = at;
        } else if (want < pattern.size() && (pattern[want] == '?' || pattern[want] == text[at])) {
            ++want;
            ++at;
        } else if (star != std::string_view::npos) {
            want = star + 1;
            at = ++starEnd;
        } else {
            return false;
        }
    }
    while (want < pattern.size() && pattern[want] == '*')
        ++want;
    return want == pattern.size();
}

}  // namespace calibscope
