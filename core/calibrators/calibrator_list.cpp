// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/find_by_id.h"
#include "core/calibrators/own_program.h"

#include "calibrators.decl.inc"

namespace calibscope {

const std::vector<Calibrator>& calibrators()
{
    static const std::vector<Calibrator> list = sortedByOrder(std::vector<Calibrator>{
#include "calibrators.calls.inc"
    });
    return list;
}

const Calibrator& calibrator(std::string_view id)
{
    static const Calibrator own = ownProgram();
    return id == own.id ? own : findById(calibrators(), id, "calibrator");
}

bool isCalibrator(std::string_view id)
{
    return id == programId ||
           std::ranges::find(calibrators(), id, &Calibrator::id) != calibrators().end();
}

}  // namespace calibscope
