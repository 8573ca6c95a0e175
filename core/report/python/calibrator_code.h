// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/settings.h"
#include "core/quant/scheme.h"
#include "core/report/python/python_code.h"

#include <string_view>

namespace calibscope::python {

/// A calibrator as it is run on some values.
struct CalibratorUse
{
    std::string_view calibrator;  ///< its id
    const Settings& settings;
    const Scheme& scheme;
    bool hasSamples = false;  ///< along axis 0 of each batch; else the tensor is one sample
};

/// A function of that name of a tensor's batches. It returns the threshold (symmetric schemes) or
/// the range (affine ones), None without a finite value, and the curve: trials and what they
/// were judged by, empty where nothing is searched. It calls `scheme`, see schemeCode(). A problem
/// where there is no Python of the calibrator or of one of its settings.
[[nodiscard]] Code calibratorCode(const CalibratorUse& use, std::string_view functionName);

}  // namespace calibscope::python
