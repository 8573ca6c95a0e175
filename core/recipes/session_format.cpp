// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recipes/session_format.h"

#include "core/base/location.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <system_error>

namespace calibscope {

namespace {

std::optional<int> axisFrom(const JsonObject& object, const char* key)
{
    constexpr int mostAxes = 1024;
    if (!object.has(key))
        return std::nullopt;
    const std::int64_t axis = object.integer(key);
    if (axis < LayoutOverride::noAxis || axis > mostAxes)
        object.fail(std::string(key) + " is not an axis");
    return static_cast<int>(axis);
}

}  // namespace

void requireKnownSession(const JsonObject& session)
{
    if (session.text("format") != sessionFormatName)
        session.fail("is not a Calibscope session");
    const std::int64_t version = session.integer("version");
    if (version > sessionVersion)
        session.fail("is of session version " + std::to_string(version) + ", and this Calibscope " +
                     CALIBSCOPE_VERSION + " reads versions up to " +
                     std::to_string(sessionVersion) + "; open it with Calibscope " +
                     session.text("written_by", "of a later release") + " or later");
    if (version < 1)
        session.fail("has no session version");
    if (version < sessionVersion)
        session.fail("is of session version " + std::to_string(version) +
                     ", of a Calibscope that was not released; begin a new one");
}

std::string sessionPathFrom(const JsonObject& object, const std::filesystem::path& folder)
{
    std::string relative = object.text("path");
    const std::string absolute = object.text("absolute");
    if (relative.empty() && absolute.empty())
        object.fail("has no path");
    constexpr std::size_t longestPath = 4096;  // PATH_MAX
    if (relative.size() > longestPath || absolute.size() > longestPath)
        object.fail("has a path of " + std::to_string(std::max(relative.size(), absolute.size())) +
                    " bytes; no system opens more than " + std::to_string(longestPath));
    if (isAddress(relative))
        return relative;
    const std::string beside =
        relative.empty() ? std::string() : (folder / relative).lexically_normal().string();
    std::error_code ignored;
    const bool isBeside = !beside.empty() && std::filesystem::exists(beside, ignored);
    return isBeside || absolute.empty() ? beside : absolute;
}

LayoutOverride layoutOverrideFrom(const JsonObject& said)
{
    LayoutOverride layoutOverride;
    if (said.has("role")) {
        layoutOverride.role = parseRole(said.text("role"));
        if (!layoutOverride.role)
            said.fail("role is \"" + said.text("role") +
                      "\"; available: activation, weight, bias, unknown");
    }
    layoutOverride.batchAxis = axisFrom(said, "batch_axis");
    layoutOverride.channelAxis = axisFrom(said, "channel_axis");
    if (said.has("batch_size"))
        layoutOverride.batchSize = said.count("batch_size");
    if (said.has("element_type"))
        layoutOverride.elementType = elementKind(said.text("element_type"));
    if (said.has("element_type") && !layoutOverride.elementType)
        said.fail("element_type is \"" + said.text("element_type") + "\", which is none");
    return layoutOverride;
}

}  // namespace calibscope
