// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/embedded_text.h"
#include "core/base/find_by_id.h"
#include "core/recipes/preset.h"

#include <iterator>

namespace calibscope {

namespace {

constexpr EmbeddedText presetTexts[] = {
#include "presets.inc"
};

std::vector<Preset> embeddedPresets()
{
    std::vector<Preset> list;
    for (const EmbeddedText& text : presetTexts)
        list.push_back(presetFromJson(text.content, text.fileName));
    return sortedByOrder(std::move(list));
}

}  // namespace

const std::vector<Preset>& presets()
{
    static const std::vector<Preset> list = embeddedPresets();
    return list;
}

const Preset& preset(std::string_view id)
{
    return findById(presets(), id, "preset");
}

}  // namespace calibscope
