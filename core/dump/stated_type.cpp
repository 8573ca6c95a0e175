// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/stated_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

namespace calibscope {

namespace {

using Kind = ElementType::Kind;

struct OtherName
{
    std::string_view name;
    Kind kind;
};

/// Names beside those of ElementType::text(): of safetensors, TensorFlow, ONNX and CUDA.
constexpr std::array otherNames{
    OtherName{"bf16", Kind::Bfloat16},
    OtherName{"dt_bfloat16", Kind::Bfloat16},
    OtherName{"half", Kind::Float16},
    OtherName{"fp16", Kind::Float16},
    OtherName{"f16", Kind::Float16},
    OtherName{"dt_half", Kind::Float16},
    OtherName{"float8e4m3fn", Kind::Float8E4m3fn},
    OtherName{"f8_e4m3", Kind::Float8E4m3fn},
    OtherName{"f8_e4m3fn", Kind::Float8E4m3fn},
    OtherName{"fp8_e4m3", Kind::Float8E4m3fn},
    OtherName{"fp8_e4m3fn", Kind::Float8E4m3fn},
    OtherName{"dt_float8_e4m3fn", Kind::Float8E4m3fn},
    OtherName{"float8e5m2", Kind::Float8E5m2},
    OtherName{"f8_e5m2", Kind::Float8E5m2},
    OtherName{"fp8_e5m2", Kind::Float8E5m2},
    OtherName{"dt_float8_e5m2", Kind::Float8E5m2},
    OtherName{"float8e4m3fnuz", Kind::Float8E4m3fnuz},
    OtherName{"float8e5m2fnuz", Kind::Float8E5m2fnuz},
};

std::string lowered(std::string_view text)
{
    std::string lower;
    for (const char letter : text)
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return lower;
}

std::optional<Kind> kindOfWord(std::string_view word)
{
    if (const std::optional<Kind> kind = elementKind(word))
        return kind;
    const auto* const found = std::ranges::find(otherNames, word, &OtherName::name);
    if (found == otherNames.end())
        return std::nullopt;
    return found->kind;
}

/// The first kind that a text names: "bfloat16", "torch.bfloat16", "<class 'ml_dtypes.bfloat16'>".
std::optional<Kind> kindNamedIn(std::string_view text)
{
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const std::string lower = lowered(text);
    for (std::size_t first = lower.find_first_of(letters); first != std::string::npos;) {
        const std::size_t end = std::min(lower.find_first_not_of(letters, first), lower.size());
        if (const auto kind = kindOfWord(std::string_view(lower).substr(first, end - first)))
            return kind;
        first = lower.find_first_of(letters, end);
    }
    return std::nullopt;
}

bool namesAType(std::string_view attribute)
{
    constexpr std::array<std::string_view, 8> names{"type",          "data_type", "datatype",
                                                    "element_type",  "elem_type", "logical_type",
                                                    "original_type", "precision"};
    return attribute.find("dtype") != std::string_view::npos ||
           std::ranges::find(names, attribute) != names.end();
}

/// What one attribute says: by its text, or by a name such as `bfloat16` with a value that is true.
std::optional<Kind> kindOf(const std::string& name, const AttributeValue& value)
{
    const std::string lower = lowered(name);
    if (const auto* number = std::get_if<std::int64_t>(&value))
        return *number != 0 ? kindOfWord(lower) : std::nullopt;
    if (!namesAType(lower))
        return std::nullopt;
    if (const auto* text = std::get_if<std::string>(&value))
        return kindNamedIn(*text);
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    return texts != nullptr && texts->size() == 1 ? kindNamedIn(texts->front()) : std::nullopt;
}

/// Attributes that name a type other than the stored one of the same size.
struct Statements
{
    std::vector<std::pair<std::string, Kind>> others;
    bool confirmStored = false;  ///< one names the stored type

    [[nodiscard]] bool agree() const
    {
        return !others.empty() && std::ranges::all_of(others, [&](const auto& other) {
            return other.second == others.front().second;
        });
    }
};

Statements statementsOf(const Attributes& attributes, const StatedType& stored)
{
    const ElementType any = stored.element.value_or(stored.others.front());
    Statements statements;
    for (const auto& [name, value] : attributes) {
        const std::optional<Kind> kind = kindOf(name, value);
        if (!kind || ElementType{.kind = *kind}.bytes() != any.bytes())
            continue;
        if (stored.element && *kind == stored.element->kind)
            statements.confirmStored = true;
        else if (!stored.element || !ElementType{.kind = *kind}.isInteger())
            statements.others.emplace_back(name, *kind);
    }
    return statements;
}

}  // namespace

std::vector<ElementType> floatsOf(std::size_t bytes, bool isBigEndian)
{
    std::vector<ElementType> floats;
    if (bytes == 2)
        for (const Kind kind : {Kind::Bfloat16, Kind::Float16})
            floats.push_back({.kind = kind, .isBigEndian = isBigEndian});
    if (bytes == 1)
        for (const Kind kind : {Kind::Float8E4m3fn, Kind::Float8E5m2})
            floats.push_back({.kind = kind});
    return floats;
}

StatedType opaqueType(std::size_t bytes)
{
    std::vector<ElementType> others = floatsOf(bytes, false);
    if (others.empty())
        return typeOfNoNumbers("opaque", "bytes of unknown meaning");
    const std::string_view likely = others.front().text();
    std::string reason =
        fmt::format("its elements are {} opaque byte{}, and no attribute says what they mean; if "
                    "they are {}, read them as that (--type {})",
                    bytes, bytes == 1 ? "" : "s", likely, likely);
    return {.text = "opaque",
            .others = std::move(others),
            .unreadable = {Unreadable::Reason::ElementType, std::move(reason)}};
}

StatedType typeOfNoNumbers(std::string_view text, std::string_view holds)
{
    return {.text = std::string(text),
            .unreadable = {Unreadable::Reason::NotNumbers,
                           "it holds " + std::string(holds) + "; only numbers are read"}};
}

std::string quantizerAttributes(const Attributes& attributes)
{
    constexpr std::array<std::string_view, 8> names{"scale",        "scales",    "zero_point",
                                                    "zero_points",  "q_scale",   "q_zero_point",
                                                    "scale_factor", "add_offset"};
    std::string list;
    for (const auto& [name, value] : attributes)
        if (std::ranges::find(names, name) != names.end())
            list += (list.empty() ? "" : ", ") + name;
    return list;
}

StatedType statedType(StatedType stored, const Attributes& attributes)
{
    if (stored.others.empty())
        return stored;
    if (stored.element && stored.element->isInteger() && !quantizerAttributes(attributes).empty()) {
        stored.others.clear();
        return stored;
    }
    const Statements statements = statementsOf(attributes, stored);
    if (!statements.agree()) {
        if (statements.others.empty() && statements.confirmStored)
            stored.others.clear();
        return stored;
    }
    const auto& [attribute, kind] = statements.others.front();
    ElementType element = stored.element.value_or(stored.others.front());
    if (stored.element)
        stored.others.insert(stored.others.begin(), element);
    element.kind = kind;
    std::erase(stored.others, element);
    stored.storedText = std::exchange(stored.text, std::string(element.text()));
    stored.element = element;
    stored.unreadable = {};
    stored.evidence.push_back("attribute " + attribute + " says that its elements are " +
                              stored.text);
    return stored;
}

}  // namespace calibscope
