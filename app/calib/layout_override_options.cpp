#include "app/calib/layout_override_options.h"

#include "app/calib/named_layout_override.h"
#include "core/base/error.h"
#include "core/tensor/element_type.h"
#include "core/tensor/layout_override.h"
#include "core/tensor/tensor_selection.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

std::vector<std::string> typeNames()
{
    std::vector<std::string> names;
    for (const ElementType::Kind kind : elementKinds())
        names.emplace_back(ElementType{.kind = kind}.text());
    return names;
}

bool isUnderstoodAlike(const TensorInfo& one, const TensorInfo& other)
{
    return one.role == other.role && one.batchAxis == other.batchAxis &&
           one.batchSize == other.batchSize && one.channelAxis == other.channelAxis &&
           one.elementType == other.elementType;
}

}  // namespace

void LayoutOverrideOptions::declare(CLI::App& subcommand)
{
    subcommand.add_option("--batch-size", batchSize, "Samples recorded together")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    subcommand.add_option("--batches", batches, "Use the first N batches only")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    subcommand.add_option("--batch-axis", batchAxis, "Axis of the samples, from 0; -1: none")
        ->type_name("A")
        ->check(CLI::Range(-1, 31));
    subcommand.add_option("--channel-axis", channelAxis, "Axis of the channels, from 0; -1: none")
        ->type_name("A")
        ->check(CLI::Range(-1, 31));
    subcommand.add_option("--treat-as", role, "Treat every tensor as activation or weight")
        ->type_name("ROLE")
        ->check(CLI::IsMember({"activation", "weight"}));
    subcommand.add_option("--type", elementType, "Element type where the bytes allow several")
        ->type_name("TYPE")
        ->check(CLI::IsMember(typeNames()));
    subcommand
        .add_option("--understand", named,
                    "The same for some tensors: role, batch-axis, batch-size, channel-axis, type; "
                    "may be repeated")
        ->type_name("NAME-OR-GLOB:KEY=VALUE,...")
        ->allow_extra_args(false);
}

void LayoutOverrideOptions::check(const DumpFile& dump) const
{
    for (const std::string& text : named) {
        const std::vector<std::string> pattern{parseNamedLayoutOverride(text).pattern};
        try {
            (void)selectTensors(dump.tensors(), pattern);
        } catch (const Error& error) {
            throw Error(error.fault(),
                        dump.identity().path + ": --understand " + text + ": " + error.what());
        }
    }
}

TensorInfo LayoutOverrideOptions::applied(const TensorInfo& tensor) const
{
    TensorInfo understood = appliedToAll(tensor);
    for (const std::string& text : named) {
        const NamedLayoutOverride one = parseNamedLayoutOverride(text);
        if (one.means(tensor) && (understood.isReadable() || one.layoutOverride.elementType))
            understood = understoodAs(std::move(understood), one.layoutOverride);
    }
    if (!isUnderstoodAlike(understood, tensor))
        understood.evidence.emplace_back("changed on the command line");
    return understood;
}

TensorInfo LayoutOverrideOptions::appliedToAll(const TensorInfo& tensor) const
{
    const bool fitsType = std::ranges::count(tensor.otherTypes, elementType) > 0;
    if (!tensor.isReadable() && !fitsType)
        return tensor;
    LayoutOverride layoutOverride{.channelAxis = channelAxis};
    if (!role.empty())
        layoutOverride.role = parseRole(role);
    const bool isWeight = layoutOverride.role.value_or(tensor.role) == Role::Weight;
    if (batchSize > 0 && !isWeight && tensor.shape.size() > 1)
        layoutOverride.batchSize = batchSize;
    if (batchAxis && !isWeight)
        layoutOverride.batchAxis = batchAxis;
    if (fitsType)
        layoutOverride.elementType = elementType;
    return understoodAs(tensor, layoutOverride);
}

}  // namespace calibscope::cli
