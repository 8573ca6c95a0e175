#include "app/calib/understanding_options.h"

#include "core/base/error.h"

#include <CLI/CLI.hpp>

namespace calibscope::cli {

void UnderstandingOptions::declare(CLI::App& subcommand)
{
    subcommand.add_option("--batch-size", batchSize, "Samples recorded together")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    subcommand.add_option("--batches", batches, "Use the first N batches only")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    subcommand.add_option("--channel-axis", channelAxis, "Axis of the channels, from 0")
        ->type_name("A");
    subcommand.add_option("--treat-as", role, "Treat every tensor as activation or weight")
        ->type_name("ROLE")
        ->check(CLI::IsMember({"activation", "weight"}));
}

TensorInfo UnderstandingOptions::applied(TensorInfo tensor) const
{
    const int rank = static_cast<int>(tensor.shape.size());
    if (channelAxis && (*channelAxis < 0 || *channelAxis >= rank))
        throw Error(Fault::Usage, tensor.name + ": there is no axis " +
                                      std::to_string(*channelAxis) + "; its shape is " +
                                      shapeText(tensor.shape));
    if (channelAxis)
        tensor.channelAxis = channelAxis;
    if (!role.empty()) {
        tensor.role = *parseRole(role);
        if (tensor.role == Role::Weight)
            tensor.batchAxis.reset();
    }
    if (batchSize > 0 && tensor.role != Role::Weight && rank > 1) {
        tensor.batchAxis = 0;
        tensor.batchSize = batchSize;
    }
    return tensor;
}

}  // namespace calibscope::cli
