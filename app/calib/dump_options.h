// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/reading.h"
#include "app/command_line.h"
#include "core/collect/analyse.h"
#include "core/dump/dump_file.h"
#include "core/tensor/tensor_info.h"
#include "core/tensor/value_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Which values of a dump are meant, and how they are to be understood.
namespace calibscope::cli {

/// The arguments that several subcommands have.
[[nodiscard]] CommandOption requiredFile(std::string& file);
[[nodiscard]] CommandOption requiredFiles(std::vector<std::string>& files,
                                          std::string help = "Dumps");
[[nodiscard]] CommandOption requiredDumps(std::vector<std::string>& dumps);
[[nodiscard]] CommandOption requiredTensor(std::string& nameOrPath);
[[nodiscard]] CommandOption rowsOption(std::string& rows);
[[nodiscard]] CommandOption roleOption(std::string& role, std::string help);
[[nodiscard]] CommandOption sessionOption(std::string& session);
[[nodiscard]] CommandOption mapOption(std::string& map);
/// --percentile: orders from 0 to 100.
[[nodiscard]] CommandOption percentileOption(std::vector<double>& alphas, std::string help);
/// --jobs; 0: as many threads as there are processors.
[[nodiscard]] CommandOption jobsOption(std::uint64_t& jobs);

/// How dumps are opened and read: --allow-external, --no-merge and the limits, which every
/// subcommand that opens one has.
struct OpeningOptions
{
    ReadingLimits limits;
    bool allowExternal = false;
    bool noMerge = false;  ///< numbered datasets are tensors of their own

    void declare(Command& command);
    [[nodiscard]] DumpOptions dumpOptions() const
    {
        return {.allowExternal = allowExternal, .mergeNumbered = !noMerge};
    }
};

/// --tensor, as often as wanted.
struct TensorOptions
{
    std::vector<std::string> patterns;  ///< names, paths or globs; none: all tensors

    void declare(Command& command);
    /// Indices of the tensors of a dump that are meant, of one role if it is given. A pattern that
    /// means none throws Error(Input).
    [[nodiscard]] std::vector<std::size_t> selected(const DumpFile& dump,
                                                    std::optional<Role> role = {}) const;
    /// Whether a dataset that can't be read was asked for: by --tensor, or as one of all tensors.
    /// Single numbers, texts and records that lie beside the tensors are not.
    [[nodiscard]] bool asksFor(const TensorInfo& unreadable) const;
};

/// --exact and --estimate: where metrics come from.
struct EffortOptions
{
    bool exact = false;
    bool estimate = false;

    void declare(Command& command, std::string helpOfEstimate);
    [[nodiscard]] MetricEffort effort() const;
};

/// Says on stderr what gives reason to doubt a tensor's values or how they are understood.
void warnOfDoubts(const std::string& file, const TensorInfo& tensor);

/// What is odd about groups that no tensor lies in, "PATH: sentence", where the file has tensors at
/// all: some may be lost there. Of other groups the tensors in them tell.
[[nodiscard]] std::vector<std::string> warningsOfNoTensor(const DumpFile& dump);

/// --channel: of each tensor one channel alone, as if it were a tensor of its own.
struct ChannelOption
{
    std::optional<std::uint64_t> channel;

    void declare(Command& command);
    /// The values that are meant. Throws Error(Input) where there is no such channel.
    [[nodiscard]] ValueSource applied(ValueSource source) const;
};

/// How a tensor is to be understood where the file says nothing or something else: --batch-size,
/// --batches, --batch-axis, --channel-axis, --treat-as, --type for all tensors that they fit;
/// --layout for those that it names, whatever the others say.
struct LayoutOverrideOptions
{
    std::uint64_t batchSize = 0;  ///< 0: as the file says
    std::uint64_t batches = 0;    ///< 0: all
    std::optional<int> batchAxis;
    std::optional<int> channelAxis;
    std::string role;
    std::string elementType;
    std::vector<std::string> named;  ///< texts of --layout, in their order

    void declare(Command& command);
    /// Whether any of them was given.
    [[nodiscard]] bool isGiven() const;
    /// Throws Error(Usage) for a text of --layout that is none, and Error(Input) for one that
    /// names no tensor of the dump.
    void check(const DumpFile& dump) const;
    /// The tensor as the options understand it. Throws Error(Usage) where an axis doesn't exist.
    /// A type is for the tensors whose bytes it fits; one that can't be read under it stays as it
    /// is.
    [[nodiscard]] TensorInfo applied(const TensorInfo& tensor) const;

private:
    [[nodiscard]] TensorInfo appliedToAll(const TensorInfo& tensor) const;
};

}  // namespace calibscope::cli
