// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/block_format.h"
#include "core/recipes/outcome.h"
#include "core/report/tables/stats_table.h"
#include "core/stats/histogram.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/tensor_part.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Numbers that a snippet recomputes.
enum class SnippetSubject {
    Statistics,  ///< counts, extents, moments, percentiles
    Histogram,   ///< edges and counts
    Scale,       ///< threshold or range of a choice, and the scale that follows
    Metrics,     ///< errors under that scale
    Curve,       ///< what the choice's calibrator searched
    Block,       ///< scale, patterns and decoded values of a block under a number format
};

/// The subject of "statistics", "histogram", "scale", "metrics", "curve", "block". Throws Error(Usage) that
/// lists them for any other word.
[[nodiscard]] SnippetSubject parseSnippetSubject(std::string_view word);

struct SnippetRequest
{
    SnippetSubject subject = SnippetSubject::Scale;
    std::string file;   ///< path as the snippet is to name it
    TensorInfo tensor;  ///< as understood, axes as in the file
    TensorPart part = {};
    StatsPercentiles percentiles = {};       ///< for statistics
    HistogramSpec histogram = {};            ///< for the histogram
    Choice choice = {};                      ///< for the others, fitted to the tensor
    std::optional<BlockFormat> format = {};  ///< for the block
    std::uint64_t block = 0;
    std::vector<TensorInfo> rangeTensors = {};  ///< of the choice's rangeFrom, in that order
};

struct PythonSnippet
{
    std::string text;
    std::string problem = {};  ///< why there is none, as a sentence; empty: there is one
};

/// A program in Python for h5py and NumPy that reads the dump and prints the numbers asked for:
/// lines "name value", for a histogram, a curve and a block a table. It follows the plain definitions of
/// resources/docs/algorithms.md, so that it checks our numbers as well. There is none for some
/// settings that copy another tool's rounding (the edges of pytorch-quantization, Glow's divisor
/// ratio and zero point, searches that sum in the scheme's float32), and of the curve of what
/// searches nothing. Throws std::invalid_argument unless
/// there is a tensor for each entry of the choice's rangeFrom, and a format for a block.
[[nodiscard]] PythonSnippet pythonSnippet(const SnippetRequest& request);

}  // namespace calibscope
