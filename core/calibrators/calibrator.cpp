// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrators/calibrator.h"

#include "core/base/error.h"

namespace calibscope {

std::optional<double> Trace::gridRatio() const
{
    if (!gridError || error.empty())
        return std::nullopt;
    return error.back() == *gridError ? 1.0 : error.back() / *gridError;
}

void checkScheme(const Calibrator& calibrator, const Scheme& scheme)
{
    if (calibrator.isSymmetricOnly && scheme.isAffine())
        throw Error(Fault::Usage, std::string(calibrator.id) + ": searches a threshold for " +
                                      "symmetric levels and cannot be used with the scheme " +
                                      std::string(schemeText(scheme.kind)) +
                                      "; take symmetric-restricted or symmetric-full");
}

}  // namespace calibscope
