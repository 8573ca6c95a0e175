// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/match.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <type_traits>

namespace calibscope {

namespace {

/// The shape with 0 for the number of samples, which differs between recordings.
std::vector<std::uint64_t> shapeOfSample(const TensorInfo& tensor)
{
    std::vector<std::uint64_t> shape = tensor.shape;
    if (tensor.batchAxis)
        shape.at(static_cast<std::size_t>(*tensor.batchAxis)) = 0;
    return shape;
}

bool rolesAgree(const TensorInfo& one, const TensorInfo& other)
{
    return one.role == other.role || one.role == Role::Unknown || other.role == Role::Unknown;
}

/// What of two lists is still unmatched, and the pairs so far.
class Matching
{
public:
    Matching(std::span<const TensorInfo> a, std::span<const TensorInfo> b)
        : m_a(a), m_b(b), m_isFreeA(freeOnes(a)), m_isFreeB(freeOnes(b))
    {}

    void manualRange(std::span<const std::pair<std::string, std::string>> paths)
    {
        for (const auto& [pathA, pathB] : paths) {
            const auto a = std::ranges::find(m_a, pathA, &TensorInfo::path) - m_a.begin();
            const auto b = std::ranges::find(m_b, pathB, &TensorInfo::path) - m_b.begin();
            const auto placeA = static_cast<std::size_t>(a);
            const auto placeB = static_cast<std::size_t>(b);
            if (placeA < m_a.size() && placeB < m_b.size() && m_isFreeA[placeA] &&
                m_isFreeB[placeB])
                add(placeA, placeB, MatchRule::Manual);
        }
    }

    /// Pairs free tensors of equal key where a key has exactly one on each side.
    template <typename Key>
    void byKey(const Key& key, MatchRule rule)
    {
        for (const auto& [text, places] : groups(key))
            if (places.a.size() == 1 && places.b.size() == 1 &&
                rolesAgree(m_a[places.a[0]], m_b[places.b[0]]))
                add(places.a[0], places.b[0], rule);
    }

    /// Pairs a name with the only one that ends with it, or that it ends with.
    void byNameEnd()
    {
        std::vector<std::pair<std::size_t, std::size_t>> found =
            nameEnds(m_a, m_isFreeA, m_b, m_isFreeB);
        for (const auto& [b, a] : nameEnds(m_b, m_isFreeB, m_a, m_isFreeA))
            found.emplace_back(a, b);
        std::map<std::size_t, int> partnersOfA;
        std::map<std::size_t, int> partnersOfB;
        for (const auto& [a, b] : found) {
            ++partnersOfA[a];
            ++partnersOfB[b];
        }
        for (const auto& [a, b] : found)
            if (partnersOfA[a] == 1 && partnersOfB[b] == 1)
                add(a, b, MatchRule::NameEnd);
    }

    /// Pairs in order where as many of a kind are free on both sides.
    void byOrder()
    {
        const auto kind = [](const TensorInfo& tensor) {
            return std::pair(std::string(roleText(tensor.role)) + " " + tensor.op,
                             shapeOfSample(tensor));
        };
        for (const auto& [key, places] : groups(kind))
            if (places.a.size() == places.b.size())
                for (std::size_t place = 0; place < places.a.size(); ++place)
                    add(places.a[place], places.b[place], MatchRule::Order);
    }

    [[nodiscard]] TensorMatches result()
    {
        std::ranges::sort(m_pairs, {}, &TensorPair::a);
        return {.pairs = m_pairs, .onlyA = placesOf(m_isFreeA), .onlyB = placesOf(m_isFreeB)};
    }

private:
    struct Places
    {
        std::vector<std::size_t> a;
        std::vector<std::size_t> b;
    };

    static std::vector<bool> freeOnes(std::span<const TensorInfo> tensors)
    {
        std::vector<bool> free;
        for (const TensorInfo& tensor : tensors)
            free.push_back(!tensor.isBeside && tensor.role != Role::Bias);
        return free;
    }

    static std::vector<std::size_t> placesOf(const std::vector<bool>& free)
    {
        std::vector<std::size_t> places;
        for (std::size_t place = 0; place < free.size(); ++place)
            if (free[place])
                places.push_back(place);
        return places;
    }

    /// Free tensors of `longer` whose name has that of one of `shorter` as its end behind a
    /// separator.
    static std::vector<std::pair<std::size_t, std::size_t>>
    nameEnds(std::span<const TensorInfo> longer, const std::vector<bool>& isFreeLonger,
             std::span<const TensorInfo> shorter, const std::vector<bool>& isFreeShorter)
    {
        std::multimap<std::string, std::size_t, std::less<>> byName;
        for (const std::size_t place : placesOf(isFreeShorter))
            byName.emplace(normalizedName(shorter[place].name), place);
        std::vector<std::pair<std::size_t, std::size_t>> found;
        for (const std::size_t place : placesOf(isFreeLonger)) {
            const std::string name = normalizedName(longer[place].name);
            for (std::size_t dot = name.find('.'); dot != std::string::npos;
                 dot = name.find('.', dot + 1)) {
                const auto [begin, end] =
                    byName.equal_range(std::string_view(name).substr(dot + 1));
                for (auto partner = begin; partner != end; ++partner)
                    if (isAlike(longer[place], shorter[partner->second]))
                        found.emplace_back(place, partner->second);
            }
        }
        return found;
    }

    static bool isAlike(const TensorInfo& one, const TensorInfo& other)
    {
        return rolesAgree(one, other) && shapeOfSample(one) == shapeOfSample(other);
    }

    /// Free tensors of both sides by what `key` says of them.
    template <typename Key>
    [[nodiscard]] std::map<std::invoke_result_t<Key, const TensorInfo&>, Places>
    groups(const Key& key) const
    {
        std::map<std::invoke_result_t<Key, const TensorInfo&>, Places> found;
        for (const std::size_t place : placesOf(m_isFreeA))
            found[key(m_a[place])].a.push_back(place);
        for (const std::size_t place : placesOf(m_isFreeB))
            found[key(m_b[place])].b.push_back(place);
        return found;
    }

    void add(std::size_t a, std::size_t b, MatchRule rule)
    {
        m_isFreeA[a] = false;
        m_isFreeB[b] = false;
        m_pairs.push_back({a, b, rule, shapeOfSample(m_a[a]) == shapeOfSample(m_b[b])});
    }

    std::span<const TensorInfo> m_a;
    std::span<const TensorInfo> m_b;
    std::vector<bool> m_isFreeA;
    std::vector<bool> m_isFreeB;
    std::vector<TensorPair> m_pairs;
};

constexpr std::array<std::string_view, 3> wrappers = {"module.", "model.", "_orig_mod."};

bool isDigit(char character)
{
    return character >= '0' && character <= '9';
}

/// Without ":0" or ":12" at the end.
std::string_view withoutOutputNumber(std::string_view name)
{
    const std::size_t colon = name.rfind(':');
    if (colon == std::string_view::npos || colon == 0 || colon + 1 == name.size() ||
        !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(colon) + 1, name.end(), isDigit))
        return name;
    return name.substr(0, colon);
}

/// Separators as dots, none in front, behind or beside another.
std::string withDots(std::string_view name)
{
    std::string text;
    for (const char character : name) {
        const bool isSeparator =
            character == '.' || character == '/' || character == ':' || character == '\\';
        if (!isSeparator)
            text += character;
        else if (!text.empty() && text.back() != '.')
            text += '.';
    }
    if (!text.empty() && text.back() == '.')
        text.pop_back();
    return text;
}

std::string_view withoutWrappers(std::string_view name)
{
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view wrapper : wrappers)
            if (name.size() > wrapper.size() && name.starts_with(wrapper)) {
                name.remove_prefix(wrapper.size());
                found = true;
            }
    }
    return name;
}

}  // namespace

std::string_view matchRuleText(MatchRule rule)
{
    switch (rule) {
    case MatchRule::Manual: return "manual";
    case MatchRule::Name: return "name";
    case MatchRule::NormalizedName: return "normalized name";
    case MatchRule::NameEnd: return "end of name";
    case MatchRule::Order: return "order and shape";
    }
    return {};
}

TensorMatches matchTensors(std::span<const TensorInfo> a, std::span<const TensorInfo> b,
                           std::span<const std::pair<std::string, std::string>> manualRange)
{
    Matching matching(a, b);
    matching.manualRange(manualRange);
    // One file may hold an activation and a weight of one name: the role is part of the first key.
    matching.byKey(
        [](const TensorInfo& tensor) {
            return std::string(roleText(tensor.role)) + " " + tensor.name;
        },
        MatchRule::Name);
    matching.byKey([](const TensorInfo& tensor) { return tensor.name; }, MatchRule::Name);
    matching.byKey(
        [](const TensorInfo& tensor) {
            return std::string(roleText(tensor.role)) + " " + normalizedName(tensor.name);
        },
        MatchRule::NormalizedName);
    matching.byKey([](const TensorInfo& tensor) { return normalizedName(tensor.name); },
                   MatchRule::NormalizedName);
    matching.byNameEnd();
    matching.byOrder();
    return matching.result();
}

std::string normalizedName(std::string_view name)
{
    const std::string dotted = withDots(withoutOutputNumber(name));
    return dotted.empty() ? std::string(name) : std::string(withoutWrappers(dotted));
}

}  // namespace calibscope
