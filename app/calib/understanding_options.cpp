#include "app/calib/understanding_options.h"

#include "app/calib/named_understanding.h"
#include "core/base/error.h"
#include "core/tensor/element_type.h"
#include "core/tensor/tensor_selection.h"
#include "core/tensor/understanding.h"

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

void UnderstandingOptions::declare(CLI::App& subcommand)
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

void UnderstandingOptions::check(const DumpFile& dump) const
{
    for (const std::string& text : named) {
        const std::vector<std::string> pattern{parseNamedUnderstanding(text).pattern};
        try {
            (void)selectTensors(dump.tensors(), pattern);
        } catch (const Error& error) {
            throw Error(error.fault(),
                        dump.identity().path + ": --understand " + text + ": " + error.what());
        }
    }
}

TensorInfo UnderstandingOptions::applied(const TensorInfo& tensor) const
{
    TensorInfo understood = appliedToAll(tensor);
    for (const std::string& text : named) {
        const NamedUnderstanding one = parseNamedUnderstanding(text);
        if (one.means(tensor) && (understood.isReadable() || one.understanding.elementType))
            understood = understoodAs(std::move(understood), one.understanding);
    }
    if (!isUnderstoodAlike(understood, tensor))
        understood.evidence.emplace_back("changed on the command line");
    return understood;
}

TensorInfo UnderstandingOptions::appliedToAll(const TensorInfo& tensor) const
{
    const bool fitsType = std::ranges::count(tensor.otherTypes, elementType) > 0;
    if (!tensor.isReadable() && !fitsType)
        return tensor;
    Understanding understanding{.channelAxis = channelAxis};
    if (!role.empty())
        understanding.role = parseRole(role);
    const bool isWeight = understanding.role.value_or(tensor.role) == Role::Weight;
    if (batchSize > 0 && !isWeight && tensor.shape.size() > 1)
        understanding.batchSize = batchSize;
    if (batchAxis && !isWeight)
        understanding.batchAxis = batchAxis;
    if (fitsType)
        understanding.elementType = elementType;
    return understoodAs(tensor, understanding);
}

}  // namespace calibscope::cli
