// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/workbench.h"

#include <tuple>

namespace calibscope {

namespace {

/// References to the members that belong to one dump.
template <typename W>
auto ownMembers(W& workbench)
{
    return std::tie(workbench.said, workbench.manualRange, workbench.imported, workbench.pins,
                    workbench.excluded, workbench.decisions, workbench.leftOut, workbench.run,
                    workbench.gains, workbench.compared, workbench.zooms);
}

}  // namespace

Workbench joined(const Workbench& own, const Workbench& shared)
{
    Workbench workbench = shared;
    ownMembers(workbench) = ownMembers(own);
    return workbench;
}

Workbench ownPart(const Workbench& workbench)
{
    return joined(workbench, {});
}

Workbench sharedPart(const Workbench& workbench)
{
    return joined({}, workbench);
}

bool isUntouched(const Workbench& workbench)
{
    return workbench.said.isEmpty() && workbench.manualRange.empty() &&
           workbench.imported.isEmpty() && workbench.pins.empty() && workbench.excluded.empty() &&
           workbench.decisions.isEmpty() && workbench.leftOut.empty() &&
           workbench.run == ModelRun() && workbench.edits.empty() && workbench.added.empty() &&
           workbench.compared.pairs.empty();
}

}  // namespace calibscope
