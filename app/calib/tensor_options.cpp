#include "app/calib/tensor_options.h"

#include "core/base/error.h"
#include "core/tensor/tensor_selection.h"

#include <CLI/CLI.hpp>

namespace calibscope::cli {

void TensorOptions::declare(CLI::App& subcommand)
{
    subcommand.add_option("--tensor", patterns, "Tensor by name, or a glob; may be repeated")
        ->type_name("NAME-OR-GLOB")
        ->allow_extra_args(false);
}

std::vector<std::size_t> TensorOptions::selected(const DumpFile& dump,
                                                 std::optional<Role> role) const
{
    try {
        return selectTensors(dump.tensors(), patterns, role);
    } catch (const Error& error) {
        throw Error(error.fault(), dump.identity().path + ": " + error.what());
    }
}

bool TensorOptions::asksFor(const TensorInfo& unreadable) const
{
    const std::string& type = unreadable.elementType;
    const bool isNumber = unreadable.holdsIntegers() || type.starts_with("float") ||
                          type.starts_with("bfloat") || !unreadable.otherTypes.empty();
    const bool isSingleValue = unreadable.shape.empty();
    return !patterns.empty() || type.empty() ||
           (isNumber && !isSingleValue && !unreadable.isBeside);
}

}  // namespace calibscope::cli
