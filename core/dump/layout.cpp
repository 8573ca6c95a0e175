#include "core/dump/layout.h"

#include "core/catalog/find_by_id.h"

#include "layout_rules.decl.inc"

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

TensorInfo plainInfo(const DatasetFacts& dataset, std::string name, std::string_view layoutRule)
{
    TensorInfo info;
    info.name = std::move(name);
    info.path = dataset.path;
    info.elementType = dataset.typeText;
    info.shape = dataset.shape;
    info.layoutRule = layoutRule;
    info.compression = dataset.compression;
    info.checksum = dataset.checksum;
    info.unreadable = dataset.unreadable;
    return info;
}

}  // namespace calibscope
