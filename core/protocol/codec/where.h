#pragma once

#include "core/base/error.h"

#include <string>
#include <string_view>

namespace calibscope::protocol {

/// Place in a message, for errors: "view: profile: batches". Built on the stack, turned into text
/// only when something is wrong there.
struct Where
{
    const Where* parent = nullptr;
    std::string_view name;

    [[nodiscard]] std::string text() const
    {
        return (parent != nullptr ? parent->text() + ": " : "engine message: ") + std::string(name);
    }
    [[noreturn]] void fail(std::string_view problem) const
    {
        throw Error(Fault::Input,
                    text() + ": " + std::string(problem) +
                        "; the application and its engine may be of different versions");
    }
};

}  // namespace calibscope::protocol
