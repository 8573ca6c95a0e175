#include "core/dump/layout.h"

#include "core/catalog/find_by_id.h"

#include "layout_rules.decl.inc"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace calibscope {

const std::vector<LayoutRule>& layoutRules()
{
    static const std::vector<LayoutRule> rules = sortedByOrder(std::vector<LayoutRule>{
#include "layout_rules.calls.inc"
    });
    return rules;
}

Understood understand(const Attributes& root, const DatasetFacts& dataset)
{
    for (const LayoutRule& rule : layoutRules())
        if (std::optional<Understood> understood = rule.understand(root, dataset))
            return *std::move(understood);
    throw std::logic_error("the last layout rule must apply to everything");
}

std::vector<RuleUse> usesOf(std::span<const TensorInfo> tensors)
{
    std::vector<RuleUse> uses;
    for (const LayoutRule& rule : layoutRules())
        uses.push_back({.id = std::string(rule.id), .title = std::string(rule.title)});
    for (const TensorInfo& tensor : tensors) {
        const auto use = std::ranges::find(uses, tensor.layoutRule, &RuleUse::id);
        if (use == uses.end())
            continue;
        ++use->tensors;
        use->guesses += tensor.isGuess ? 1U : 0U;
    }
    std::erase_if(uses, [](const RuleUse& use) { return use.tensors == 0; });
    return uses;
}

TensorInfo plainInfo(const DatasetFacts& dataset, std::string name, std::string_view layoutRule)
{
    TensorInfo info;
    info.name = std::move(name);
    info.path = dataset.path;
    info.otherPaths = dataset.otherPaths;
    info.elementType = dataset.typeText;
    info.storedType = dataset.storedType;
    for (const ElementType& other : dataset.otherElements)
        info.otherTypes.emplace_back(other.text());
    if (dataset.element)
        info.lossy = dataset.element->loss();
    info.evidence = dataset.evidence;
    info.shape = dataset.shape;
    info.layoutRule = layoutRule;
    info.compression = dataset.compression;
    info.checksum = dataset.checksum;
    info.unreadable = dataset.unreadable;
    return info;
}

}  // namespace calibscope
