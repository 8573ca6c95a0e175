// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/number_text.h"
#include "core/mpi/rank_server.h"

#include <cstdlib>
#include <optional>
#include <string_view>

#include <unistd.h>

namespace calibscope::mpi {

namespace {

std::optional<std::size_t> numberIn(const char* variable)
{
    const char* const text = std::getenv(variable);
    const std::optional<double> number = text != nullptr ? parseNumber(text) : std::nullopt;
    if (!number || *number < 0.0 || *number > 1e9)
        return std::nullopt;
    return static_cast<std::size_t>(*number);
}

/// Of the variables by which launchers lead libraries of MPI to each other, whatever they are.
bool hasVariableOfPmi()
{
    for (char* const* entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        if (text.starts_with("PMI_") || text.starts_with("PMIX_") || text.starts_with("OMPI_COMM_"))
            return true;
    }
    return false;
}

}  // namespace

Launched launched()
{
    Launched found;
    // What is nearest to this process first: mpirun may run in a step of Slurm's.
    for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
        if (const auto count = numberIn(name); count && *count > 1) {
            found.count = *count;
            found.variable = name;
            break;
        }
    for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
        if (const auto rank = numberIn(name)) {
            found.rank = *rank;
            break;
        }
    found.isToldOfOthers = hasVariableOfPmi();
    return found;
}

}  // namespace calibscope::mpi
