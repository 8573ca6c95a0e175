// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/find_by_id.h"

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
    return findById(calibrators(), id, "calibrator");
}

}  // namespace calibscope
