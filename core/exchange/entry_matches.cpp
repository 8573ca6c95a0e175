// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/entry_matches.h"

#include "core/exchange/exchange_format.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace calibscope::exchange {

namespace {

constexpr std::string_view boundaries = "./:_";
constexpr std::string_view rowMark = "_param_";  ///< of ncnn's rows, with a number behind it
constexpr std::string_view weightEnd = ".weight";

/// With `.` for `/`, without leading ones.
std::string plainName(std::string_view name)
{
    std::string plain(name);
    std::ranges::replace(plain, '/', '.');
    return plain.substr(std::min(plain.find_first_not_of('.'), plain.size()));
}

/// Tensors by their names and by plain ones, as there may be very many on both sides.
class TensorNames
{
public:
    TensorNames(std::span<const TensorInfo> tensors, const EntryNaming& naming)
        : m_tensors(tensors), m_naming(naming)
    {
        for (std::size_t index = 0; index < tensors.size(); ++index) {
            const TensorInfo& tensor = tensors[index];
            if (tensor.isBeside || tensor.name.empty())
                continue;
            m_byPath.emplace(tensor.path, index);
            m_byName.emplace(tensor.name, index);
            m_byPlainName.emplace(plainName(tensor.name), index);
            if (!tensor.graphName.empty())
                m_byRecordedName.emplace(tensor.graphName, index);
            for (const std::string& own : {tensor.path, tensor.name})
                if (const auto given = naming.map.find(own); given != naming.map.end()) {
                    m_byGivenName.emplace(given->second, index);
                    break;
                }
            if (const auto found = naming.model.find(tensor.path); found != naming.model.end())
                m_byModelName.emplace(found->second, index);
        }
    }

    [[nodiscard]] EntryMatch match(const ScaleEntry& entry, const std::string& name) const
    {
        constexpr std::array rules{EntryNameRule::Map,       EntryNameRule::Model,
                                   EntryNameRule::Recorded,  EntryNameRule::Equal,
                                   EntryNameRule::Separator, EntryNameRule::End};
        return match(entry, name, rules);
    }

    [[nodiscard]] EntryMatch match(const ScaleEntry& entry, const std::string& name,
                                   std::span<const EntryNameRule> rules) const
    {
        for (const EntryNameRule rule : rules) {
            if (rule > EntryNameRule::Model && m_naming.inModel.contains(name))
                return {};
            std::vector<std::size_t> found = foundBy(rule, name);
            if (found.size() > 1)
                preferRole(found, entry.role);
            if (found.size() == 1)
                return {.tensor = found.front(), .rule = rule};
            if (found.size() > 1)
                return {.rule = rule, .candidates = namesOf(found)};
        }
        return {};
    }

private:
    using Index = std::multimap<std::string, std::size_t, std::less<>>;

    static std::vector<std::size_t> in(const Index& index, std::string_view name)
    {
        std::vector<std::size_t> found;
        const auto [first, last] = index.equal_range(name);
        for (auto place = first; place != last; ++place)
            found.push_back(place->second);
        return found;
    }

    [[nodiscard]] std::vector<std::size_t> foundBy(EntryNameRule rule,
                                                   const std::string& name) const
    {
        switch (rule) {
        case EntryNameRule::None: return {};
        case EntryNameRule::Map: return in(m_byGivenName, name);
        case EntryNameRule::Layer: {
            const auto operand = m_naming.layers.find(name);
            return operand == m_naming.layers.end() ? std::vector<std::size_t>{}
                                                    : in(m_byPath, operand->second.path);
        }
        case EntryNameRule::Model: return in(m_byModelName, name);
        case EntryNameRule::Recorded: return in(m_byRecordedName, name);
        case EntryNameRule::Equal: return in(m_byName, name);
        case EntryNameRule::Separator: return in(m_byPlainName, plainName(name));
        case EntryNameRule::End: return byEnd(name);
        }
        return {};
    }

    /// The longest end that some tensors have for their name.
    [[nodiscard]] std::vector<std::size_t> byEnd(std::string_view name) const
    {
        for (std::size_t place = name.find_first_of(boundaries); place != std::string_view::npos;
             place = name.find_first_of(boundaries, place + 1)) {
            const std::string_view end = name.substr(place + 1);
            std::vector<std::size_t> found = in(m_byName, end);
            if (found.empty())
                found = in(m_byPlainName, plainName(end));
            if (!found.empty())
                return found;
        }
        return {};
    }

    void preferRole(std::vector<std::size_t>& found, Role role) const
    {
        std::vector<std::size_t> ofRole;
        std::ranges::copy_if(found, std::back_inserter(ofRole),
                             [&](std::size_t index) { return m_tensors[index].role == role; });
        if (!ofRole.empty())
            found = std::move(ofRole);
    }

    [[nodiscard]] std::vector<std::string> namesOf(const std::vector<std::size_t>& found) const
    {
        std::vector<std::string> names;
        for (const std::size_t index : found)
            names.push_back(m_tensors[index].path);
        return names;
    }

    std::span<const TensorInfo> m_tensors;
    const EntryNaming& m_naming;
    Index m_byPath;
    Index m_byName;
    Index m_byPlainName;
    Index m_byGivenName;
    Index m_byModelName;
    Index m_byRecordedName;
};

/// An entry that names a layer.
EntryMatch matchByLayer(const TensorNames& names, const ScaleEntry& entry)
{
    EntryMatch match =
        names.match(entry, layerRow(entry), std::array{EntryNameRule::Map, EntryNameRule::Layer});
    if (entry.role != Role::Weight)
        return match;
    const std::string layer = moduleOfWeight(entry.name);
    if (layer == entry.name)
        return match;
    for (const std::string& name : {entry.name, layer + std::string(weightEnd), layer})
        if (match.rule == EntryNameRule::None)
            match = names.match(entry, name);
    return match;
}

bool isByLayer(const ScaleFile& file)
{
    return !file.format.empty() && exchangeFormat(file.format).isByLayer;
}

}  // namespace

std::string_view entryNameRuleText(EntryNameRule rule)
{
    switch (rule) {
    case EntryNameRule::None: return "";
    case EntryNameRule::Map: return "map";
    case EntryNameRule::Layer: return "layer";
    case EntryNameRule::Model: return "model";
    case EntryNameRule::Recorded: return "recorded";
    case EntryNameRule::Equal: return "equal";
    case EntryNameRule::Separator: return "separator";
    case EntryNameRule::End: return "end";
    }
    return "";
}

std::string moduleOfWeight(std::string_view name)
{
    if (name.ends_with(weightEnd))
        return std::string(name.substr(0, name.size() - weightEnd.size()));
    return std::string(name.substr(0, std::min(name.rfind(rowMark), name.size())));
}

std::string layerRow(const ScaleEntry& entry)
{
    return entry.role == Role::Weight && entry.name.ends_with(weightEnd)
               ? moduleOfWeight(entry.name) + std::string(rowMark) + '0'
               : entry.name;
}

std::vector<EntryMatch> matchEntries(const ScaleFile& file, std::span<const TensorInfo> tensors,
                                     const EntryNaming& naming)
{
    const TensorNames names(tensors, naming);
    std::vector<EntryMatch> matches;
    const bool areLayers = isByLayer(file);
    for (const ScaleEntry& entry : file.entries)
        matches.push_back(areLayers ? matchByLayer(names, entry) : names.match(entry, entry.name));
    return matches;
}

std::vector<std::size_t> missingTensors(std::span<const TensorInfo> tensors,
                                        std::span<const EntryMatch> matches, bool hasWeights,
                                        bool hasActivations)
{
    std::set<std::size_t> matched;
    for (const EntryMatch& match : matches)
        if (match.tensor)
            matched.insert(*match.tensor);
    std::vector<std::size_t> missing;
    for (std::size_t index = 0; index < tensors.size(); ++index) {
        const TensorInfo& tensor = tensors[index];
        const bool isActivation = tensor.role == Role::Activation || tensor.role == Role::Unknown;
        const bool isOfFormat =
            (tensor.role == Role::Weight && hasWeights) || (isActivation && hasActivations);
        if (isOfFormat && !tensor.isBeside && tensor.isReadable() && !matched.contains(index))
            missing.push_back(index);
    }
    return missing;
}

}  // namespace calibscope::exchange
