// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parameter.h"

#include <utility>

namespace calibscope {

Parameter choiceParameter(std::string id, std::string label, std::string help,
                          std::vector<std::string> words)
{
    return {.id = std::move(id),
            .label = std::move(label),
            .help = std::move(help),
            .kind = Parameter::Kind::Choice,
            .fallback = words.at(0),
            .words = words};
}

}  // namespace calibscope
