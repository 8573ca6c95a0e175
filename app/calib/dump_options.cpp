// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/dump_options.h"

#include "app/calib/command_output.h"
#include "core/base/error.h"
#include "core/base/glob.h"
#include "core/base/number_text.h"
#include "core/collect/channel_values.h"
#include "core/tensor/element_type.h"
#include "core/tensor/layout_override.h"
#include "core/tensor/tensor_selection.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

namespace calibscope::cli {

namespace {

std::vector<std::string> typeNames()
{
    std::vector<std::string> names;
    for (const ElementKind kind : elementKinds())
        names.emplace_back(elementText(kind));
    return names;
}

bool isUnderstoodAlike(const TensorInfo& one, const TensorInfo& other)
{
    return one.role == other.role && one.batchAxis == other.batchAxis &&
           one.batchSize == other.batchSize && one.channelAxis == other.channelAxis &&
           one.elementType == other.elementType;
}

/// What one --layout says of the tensors that it means.
struct NamedLayoutOverride
{
    std::string pattern;  ///< a name, a path or a glob on names
    LayoutOverride layoutOverride;

    [[nodiscard]] bool means(const TensorInfo& tensor) const
    {
        return tensor.name == pattern || isPathOf(tensor, pattern) ||
               matchesGlob(tensor.name, pattern);
    }
};

[[noreturn]] void fail(const std::string& text, const std::string& sentence)
{
    throw Error(Fault::Usage, "--layout {}: {}", text, sentence);
}

template <typename Number>
Number number(const std::string& text, std::string_view key, std::string_view value)
{
    Number result{};
    const char* const end = value.data() + value.size();
    const auto [last, error] = std::from_chars(value.data(), end, result);
    if (error != std::errc() || last != end || value.starts_with('-'))
        fail(text, std::string(key) + "=" + std::string(value) +
                       " is not a whole number from 0 on" +
                       (std::is_same_v<Number, int> ? ", or none" : ""));
    return result;
}

int axis(const std::string& text, std::string_view key, std::string_view value)
{
    if (value == "none" || value == "-1")
        return LayoutOverride::noAxis;
    return number<int>(text, key, value);
}

void set(LayoutOverride& layoutOverride, const std::string& text, std::string_view key,
         std::string_view value)
{
    if (key == "role") {
        layoutOverride.role = parseRole(value);
        if (!layoutOverride.role)
            fail(text, "there is no role " + std::string(value) +
                           "; available: activation, weight, bias, unknown");
    } else if (key == "batch-axis") {
        layoutOverride.batchAxis = axis(text, key, value);
    } else if (key == "channel-axis") {
        layoutOverride.channelAxis = axis(text, key, value);
    } else if (key == "batch-size") {
        layoutOverride.batchSize = number<std::uint64_t>(text, key, value);
    } else if (key == "type") {
        layoutOverride.elementType = elementKind(value);
        if (!layoutOverride.elementType)
            fail(text, "there is no element type " + std::string(value));
    } else {
        fail(text, "there is no key " + std::string(key) +
                       "; available: role, batch-axis, batch-size, channel-axis, type");
    }
}

/// Reads "GLOB:KEY=VALUE,...", cut at the last colon, since names hold colons. The keys are role,
/// batch-axis, batch-size, channel-axis and type; an axis may be "none". Throws Error(Usage).
NamedLayoutOverride parseNamedLayoutOverride(const std::string& text)
{
    const std::size_t colon = text.rfind(':');
    if (colon == std::string::npos || colon == 0)
        fail(text, "write it as NAME-OR-GLOB:KEY=VALUE,..., such as 'fc*:role=weight'");
    NamedLayoutOverride result{.pattern = text.substr(0, colon), .layoutOverride = {}};
    for (std::string_view rest = std::string_view(text).substr(colon + 1);;) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view entry = rest.substr(0, comma);
        const std::size_t equals = entry.find('=');
        if (equals == std::string_view::npos)
            fail(text, "write it as NAME-OR-GLOB:KEY=VALUE,..., such as 'fc*:role=weight'");
        set(result.layoutOverride, text, entry.substr(0, equals), entry.substr(equals + 1));
        if (comma == rest.size())
            return result;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace

CommandOption requiredFile(std::string& file)
{
    return {.names = "file", .target = &file, .help = "Dump", .type = "FILE", .isRequired = true};
}

CommandOption requiredFiles(std::vector<std::string>& files, std::string help)
{
    return {.names = "files",
            .target = &files,
            .help = std::move(help),
            .type = "FILE",
            .isRequired = true};
}

CommandOption requiredDumps(std::vector<std::string>& dumps)
{
    return {.names = "dumps",
            .target = &dumps,
            .help = "Dumps of the tensors",
            .type = "DUMP",
            .isRequired = true};
}

CommandOption requiredTensor(std::string& nameOrPath)
{
    return {.names = "--tensor",
            .target = &nameOrPath,
            .help = "Name or path of the tensor",
            .type = "NAME",
            .isRequired = true};
}

CommandOption jobsOption(std::uint64_t& jobs)
{
    constexpr int mostThreads = 1024;
    return {.names = "--jobs",
            .target = &jobs,
            .help = "Maximum number of threads (default: one per processor); results are the same "
                    "for any number",
            .type = "N",
            .range = OptionRange{1, mostThreads}};
}

CommandOption roleOption(std::string& role, std::string help)
{
    return {.names = "--role",
            .target = &role,
            .help = std::move(help),
            .type = "ROLE",
            .words = {"activation", "weight", "bias", "unknown"}};
}

CommandOption sessionOption(std::string& session)
{
    return {.names = "--session",
            .target = &session,
            .help = "Calibrators accepted in a session of calibscope",
            .type = "FILE"};
}

CommandOption mapOption(std::string& map)
{
    return {.names = "--map",
            .target = &map,
            .help = "Known names: rows of tensor,graph_name",
            .type = "CSV"};
}

CommandOption percentileOption(std::vector<double>& alphas, std::string help)
{
    return {.names = "--percentile",
            .target = &alphas,
            .help = std::move(help),
            .type = "P,...",
            .isOneByOne = true,
            .delimiter = ',',
            .complaint = [](const std::string& text) {
                const std::optional<double> alpha = parseNumber(text);
                return alpha && *alpha >= 0.0 && *alpha <= 100.0
                           ? std::string()
                           : text + " is not a number from 0 to 100";
            }};
}

void EffortOptions::declare(Command& command, std::string helpOfEstimate)
{
    command.add({.names = "--exact",
                 .target = &exact,
                 .help = "Metrics from all values, however many there are"});
    command.add({.names = "--estimate",
                 .target = &estimate,
                 .help = std::move(helpOfEstimate),
                 .excludes = "--exact"});
}

MetricEffort EffortOptions::effort() const
{
    if (exact)
        return MetricEffort::Exact;
    return estimate ? MetricEffort::Estimate : MetricEffort::Budget;
}

CommandOption rowsOption(std::string& rows)
{
    return {.names = "--rows",
            .target = &rows,
            .help = "One row for a tensor, or further ones for its channels",
            .type = "tensor|channel",
            .showsDefault = true,
            .words = {"tensor", "channel"}};
}

void OpeningOptions::declare(Command& command)
{
    command.add({.names = "--allow-external",
                 .target = &allowExternal,
                 .help = "Also read other files that a dump points to"});
    command.add({.names = "--no-merge",
                 .target = &noMerge,
                 .help = "Treat numbered datasets as tensors of their own, not as batches of one"});
    limits.declare(command);
}

void TensorOptions::declare(Command& command)
{
    command.add({.names = "--tensor",
                 .target = &patterns,
                 .help = "Tensor by name, or a glob; may be repeated",
                 .type = "NAME-OR-GLOB",
                 .isOneByOne = true});
}

std::vector<std::size_t> TensorOptions::selected(const DumpFile& dump,
                                                 std::optional<Role> role) const
{
    if (dump.tensors().empty())
        warn(dump.identity().path + ":" +
             (dump.warnings().empty() ? "/: the file holds nothing" : dump.warnings().back()));
    try {
        return selectTensors(dump.tensors(), patterns, role);
    } catch (const Error& error) {
        throw Error(error.fault(), dump.identity().path + ": " + error.what());
    }
}

bool TensorOptions::asksFor(const TensorInfo& unreadable) const
{
    const bool isNumber = unreadable.unreadable.reason != Unreadable::Reason::NotNumbers;
    const bool isSingleValue = unreadable.shape.empty();
    return !patterns.empty() || elementText(unreadable).empty() ||
           (isNumber && !isSingleValue && !unreadable.isBeside);
}

std::vector<std::string> warningsOfNoTensor(const DumpFile& dump)
{
    std::set<std::string, std::less<>> groups;
    for (const TensorInfo& tensor : dump.tensors()) {
        groups.insert("/");
        for (std::size_t end = tensor.path.rfind('/'); end != 0 && end != std::string::npos;
             end = tensor.path.rfind('/', end - 1))
            if (!groups.insert(tensor.path.substr(0, end)).second)
                break;
    }
    std::vector<std::string> found;
    if (groups.empty())
        return found;
    for (const std::string& warning : dump.warnings()) {
        bool isTold = false;
        // A path may hold what ends it here.
        for (std::size_t end = warning.find(": "); end != std::string::npos && !isTold;
             end = warning.find(": ", end + 1))
            isTold = groups.contains(std::string_view(warning).substr(0, end));
        if (!isTold)
            found.push_back(warning);
    }
    return found;
}

void warnOfDoubts(const std::string& file, const TensorInfo& tensor)
{
    for (const std::string& doubt : tensor.doubts)
        warn(file + ":" + tensor.path + ": " + doubt);
}

void ChannelOption::declare(Command& command)
{
    command.add({.names = "--channel",
                 .target = &channel,
                 .help = "A single channel, counted from 0, as a tensor of its own",
                 .type = "N",
                 .range = OptionRange{0, std::int64_t{1} << 40U}});
}

ValueSource ChannelOption::applied(ValueSource source) const
{
    return channel ? sourceOfChannel(source, *channel) : source;
}

void LayoutOverrideOptions::declare(Command& command)
{
    constexpr OptionRange axes{-1, 31};
    command.add({.names = "--batch-size",
                 .target = &batchSize,
                 .help = "Samples recorded together",
                 .type = "N",
                 .isPositive = true});
    command.add({.names = "--batches",
                 .target = &batches,
                 .help = "Use the first N batches only",
                 .type = "N",
                 .isPositive = true});
    command.add({.names = "--batch-axis",
                 .target = &batchAxis,
                 .help = "Axis of the samples, from 0; -1: none",
                 .type = "A",
                 .range = axes});
    command.add({.names = "--channel-axis",
                 .target = &channelAxis,
                 .help = "Axis of the channels, from 0; -1: none",
                 .type = "A",
                 .range = axes});
    command.add({.names = "--treat-as",
                 .target = &role,
                 .help = "Treat every tensor as activation, weight or bias",
                 .type = "ROLE",
                 .words = {"activation", "weight", "bias"}});
    command.add({.names = "--type",
                 .target = &elementType,
                 .help = "Element type where the bytes allow several",
                 .type = "TYPE",
                 .words = typeNames()});
    command.add({.names = "--layout",
                 .target = &named,
                 .help = "The same for some tensors: role, batch-axis, batch-size, channel-axis, "
                         "type; may be repeated",
                 .type = "NAME-OR-GLOB:KEY=VALUE,...",
                 .isOneByOne = true});
}

bool LayoutOverrideOptions::isGiven() const
{
    return batchSize > 0 || batches > 0 || batchAxis || channelAxis || !role.empty() ||
           !elementType.empty() || !named.empty();
}

void LayoutOverrideOptions::check(const DumpFile& dump) const
{
    for (const std::string& text : named) {
        const std::vector<std::string> pattern{parseNamedLayoutOverride(text).pattern};
        try {
            (void)selectTensors(dump.tensors(), pattern);
        } catch (const Error& error) {
            throw Error(error.fault(),
                        dump.identity().path + ": --layout " + text + ": " + error.what());
        }
    }
}

TensorInfo LayoutOverrideOptions::applied(const TensorInfo& tensor) const
{
    TensorInfo understood = appliedToAll(tensor);
    for (const std::string& text : named) {
        const NamedLayoutOverride one = parseNamedLayoutOverride(text);
        if (one.means(tensor) && (understood.isReadable() || one.layoutOverride.elementType))
            understood = understoodAs(std::move(understood), one.layoutOverride);
    }
    if (!isUnderstoodAlike(understood, tensor))
        understood.evidence.emplace_back("changed on the command line");
    return understood;
}

TensorInfo LayoutOverrideOptions::appliedToAll(const TensorInfo& tensor) const
{
    const std::optional<ElementKind> type = elementKind(elementType);
    const bool fitsType = type && std::ranges::count(tensor.otherTypes, *type) > 0;
    if (!tensor.isReadable() && !fitsType)
        return tensor;
    LayoutOverride layoutOverride{.channelAxis = channelAxis};
    if (!role.empty())
        layoutOverride.role = parseRole(role);
    const Role understoodRole = layoutOverride.role.value_or(tensor.role);
    const bool isWeight = understoodRole == Role::Weight || understoodRole == Role::Bias;
    if (batchSize > 0 && !isWeight && tensor.shape.size() > 1)
        layoutOverride.batchSize = batchSize;
    if (batchAxis && !isWeight)
        layoutOverride.batchAxis = batchAxis;
    if (fitsType)
        layoutOverride.elementType = type;
    return understoodAs(tensor, layoutOverride);
}

}  // namespace calibscope::cli
