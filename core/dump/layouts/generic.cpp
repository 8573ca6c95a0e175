#include "core/dump/layout.h"

namespace calibscope::layouts {

namespace {

constexpr std::string_view id = "generic";

std::optional<Understood> understand(const Attributes& /*root*/, const DatasetFacts& dataset)
{
    const std::string name = dataset.path.starts_with('/') ? dataset.path.substr(1) : dataset.path;
    return Understood{.info = plainInfo(dataset, name, id), .order = {}, .warnings = {}};
}

}  // namespace

LayoutRule generic()
{
    return {.order = 1000,
            .id = id,
            .title = "Any HDF5 file",
            .summary =
                "Each dataset of numbers is a tensor of unknown role, one batch, without channels; "
                "its name is its path.",
            .understand = understand};
}

}  // namespace calibscope::layouts
