// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/dump/dump_file.h"
#include "core/recipes/decided_tensor.h"
#include "core/results/layer_results.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_source.h"

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// The layers of a dump and what their operands' scales do to their outputs, without running the
/// model (resources/docs/layers.md).
namespace calibscope::layers {

/// A dump as its layers are computed from it: its tensors, as they are to be understood, and their
/// values. What it was made from must outlive it.
class LayerDump
{
public:
    using Source =
        std::function<ValueSource(const TensorInfo& understood, std::uint64_t firstBatches)>;

    /// As the file says.
    LayerDump(const DumpFile& file)
        : LayerDump(file.identity().path, file.tensors(),
                    [&file](const TensorInfo& understood, std::uint64_t firstBatches) {
                        return file.source(understood, firstBatches);
                    })
    {}
    LayerDump(std::string path, const std::vector<TensorInfo>& tensors, Source source)
        : m_path(std::move(path)), m_tensors(&tensors), m_source(std::move(source))
    {}

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const { return *m_tensors; }
    /// As DumpFile::source().
    [[nodiscard]] ValueSource source(const TensorInfo& understood,
                                     std::uint64_t firstBatches = 0) const
    {
        return m_source(understood, firstBatches);
    }

private:
    std::string m_path;
    const std::vector<TensorInfo>* m_tensors;
    Source m_source;
};

struct LayerOptions
{
    /// Positions of each layer's output that are computed at most, the same number from every
    /// sample, at least one; 0: all.
    std::uint64_t positions = 4096;
    std::uint64_t seed = 1;                                 ///< of which ones
    bool withChannels = false;                              ///< fills LayerResult::channels
    std::uint64_t memoryBytes = std::uint64_t{160} << 20U;  ///< for what is held of one layer
    /// Only these layers, by name or path of the output; empty: all.
    std::set<std::string> layers = {};
    /// Told of each tensor whose values are about to be read; may be called by several threads.
    std::function<void(const TensorInfo&)> begins = {};
};

/// The tensors whose decisions layerReport() would look at, by path: the operands of layers whose
/// operands and output are there, and what these were moved from.
[[nodiscard]] std::set<std::string> operandPaths(std::span<const TensorInfo> tensors);

/// Names of the layers that the options want, in the order of layerReport().
[[nodiscard]] std::vector<std::string> layerNames(std::span<const TensorInfo> tensors,
                                                  const LayerOptions& options);
/// Names in the options that no layer has.
[[nodiscard]] std::vector<std::string> missingLayers(std::span<const TensorInfo> tensors,
                                                     const LayerOptions& options);

/// Why the tensors tell of no layer at all, as a sentence without the dump's name; empty: they do.
[[nodiscard]] std::string whyNoLayers(std::span<const TensorInfo> tensors);

/// A row for each layer (Conv, ConvTranspose, Gemm, MatMul) that the dump's outputs and weights
/// tell of, those that can't be computed with the reason. An operand that is not among `decided`
/// has the decision of what its values were moved from, else it counts as float. A tensor that
/// can't be read makes reasons. Throws Cancelled.
[[nodiscard]] LayerReport layerReport(const LayerDump& dump, std::span<const DecidedTensor> decided,
                                      const LayerOptions& options = {},
                                      const Progress& progress = {});

/// A candidate on an operand, computed; an outcome with a problem has no numbers.
struct OperandCandidate
{
    std::string id;
    std::string label;
    DecidedTensor tensor;
};
using OperandCandidates = std::function<std::vector<OperandCandidate>(const TensorInfo& tensor)>;

/// Effects of candidates in one layer, by name or path of its output. Candidates are
/// asked for of both operands that are in the dump; the decided one is among them or added in
/// front. Throws Error(Input) where there is no such layer, and Cancelled.
[[nodiscard]] LayerCandidates layerCandidates(const LayerDump& dump, const std::string& layer,
                                              std::span<const DecidedTensor> decided,
                                              const OperandCandidates& candidatesOf,
                                              const LayerOptions& options = {},
                                              const Progress& progress = {});

/// Results of cross-layer equalization, for each layer whose input another layer made with
/// nothing between them but moves of values and ReLU. Operands are calibrated anew as they were
/// decided. Throws Cancelled.
[[nodiscard]] std::vector<Equalization> equalizations(const LayerDump& dump,
                                                      std::span<const DecidedTensor> decided,
                                                      const LayerOptions& options = {},
                                                      const Progress& progress = {});

}  // namespace calibscope::layers
