// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/dump/dataset_facts.h"
#include "core/quant/tensor_quantization.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace calibscope {

/// An HDF5 file of quantized tensors in the making: /weights (int8), /scales and /zero_points. It
/// appears under its name when it is finished; whatever fails before, there is the former file or
/// none. Scales along an axis are a list, also one alone; without an axis there is one, a scalar.
/// Zero points are stored as the narrowest of int8, uint8, int16 and uint16 that holds the format. The same calls make the same bytes. Failures throw Error(Output) with the path and the
/// reason.
class IntegerFile
{
public:
    using Integers = std::span<const std::int8_t>;
    /// Gives all integers of a tensor, row by row, in pieces of any length.
    using Writer = std::function<void(const std::function<void(Integers)>& write)>;

    IntegerFile(const std::string& path, const Attributes& root);
    IntegerFile(const IntegerFile&) = delete;
    IntegerFile& operator=(const IntegerFile&) = delete;
    ~IntegerFile();

    /// The name in the file of a tensor of that name: "." for "/".
    [[nodiscard]] static std::string storedName(const std::string& name);
    /// Whether a tensor can be stored under that name: there is none yet, and HDF5 takes it.
    [[nodiscard]] bool takes(const std::string& name) const;

    /// A tensor of which only scales are stored; the attributes are those of its scales. Requires
    /// takes(name).
    void addScales(const std::string& name, const TensorQuantization& scales,
                   const Attributes& attributes);
    /// A weight with its integers; the attributes are those of the integers. `write` has to give as
    /// many as the shape says. Requires takes(name).
    void addWeight(const std::string& name, const std::vector<std::uint64_t>& shape,
                   const TensorQuantization& scales, const Attributes& attributes,
                   const Writer& write);

    /// Puts the file into its place.
    void finish();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace calibscope
