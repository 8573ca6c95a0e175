#include "app/calib/named_layout_override.h"

#include "core/base/error.h"
#include "core/base/glob.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace calibscope::cli {

namespace {

[[noreturn]] void fail(const std::string& text, const std::string& sentence)
{
    throw Error(Fault::Usage, "--understand " + text + ": " + sentence);
}

template <typename Number>
Number number(const std::string& text, std::string_view key, std::string_view value)
{
    Number result{};
    const char* const end = value.data() + value.size();
    const auto [last, error] = std::from_chars(value.data(), end, result);
    if (error != std::errc() || last != end || value.starts_with('-'))
        fail(text, std::string(key) + "=" + std::string(value) + " is no whole number from 0" +
                       (std::is_same_v<Number, int> ? ", nor none" : ""));
    return result;
}

int axis(const std::string& text, std::string_view key, std::string_view value)
{
    if (value == "none" || value == "-1")
        return LayoutOverride::noAxis;
    return number<int>(text, key, value);
}

void set(LayoutOverride& layoutOverride, const std::string& text, std::string_view key,
         std::string_view value)
{
    if (key == "role") {
        layoutOverride.role = parseRole(value);
        if (!layoutOverride.role)
            fail(text, "there is no role " + std::string(value) +
                           "; there are activation, weight, unknown");
    } else if (key == "batch-axis") {
        layoutOverride.batchAxis = axis(text, key, value);
    } else if (key == "channel-axis") {
        layoutOverride.channelAxis = axis(text, key, value);
    } else if (key == "batch-size") {
        layoutOverride.batchSize = number<std::uint64_t>(text, key, value);
    } else if (key == "type") {
        layoutOverride.elementType = std::string(value);
    } else {
        fail(text, "there is no " + std::string(key) +
                       " to be said; there are role, batch-axis, batch-size, channel-axis, type");
    }
}

}  // namespace

bool NamedLayoutOverride::means(const TensorInfo& tensor) const
{
    return tensor.name == pattern || tensor.path == pattern ||
           std::ranges::count(tensor.parts, pattern) > 0 || matchesGlob(tensor.name, pattern);
}

NamedLayoutOverride parseNamedLayoutOverride(const std::string& text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0)
        fail(text, "write it as NAME-OR-GLOB:KEY=VALUE,..., such as 'fc*:role=weight'");
    NamedLayoutOverride result{.pattern = text.substr(0, colon), .layoutOverride = {}};
    for (std::string_view rest = std::string_view(text).substr(colon + 1);;) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view entry = rest.substr(0, comma);
        const std::size_t equals = entry.find('=');
        if (equals == std::string_view::npos)
            fail(text, "write it as NAME-OR-GLOB:KEY=VALUE,..., such as 'fc*:role=weight'");
        set(result.layoutOverride, text, entry.substr(0, equals), entry.substr(equals + 1));
        if (comma == rest.size())
            return result;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace calibscope::cli
