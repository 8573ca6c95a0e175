// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/decisions/scales_csv.h"

#include "core/base/csv.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/whole_file.h"
#include "core/calibrators/calibrator.h"
#include "core/metrics/metric.h"
#include "core/recipes/make_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <span>
#include <tuple>
#include <utility>

namespace calibscope::deploy {

namespace {

/// One row, by the names of the columns.
class Fields
{
public:
    Fields(const std::map<std::string, std::size_t, std::less<>>& columns,
           std::span<const std::string> fields, std::string place)
        : m_columns(columns), m_fields(fields), m_place(std::move(place))
    {}

    /// Empty where there is no such column.
    [[nodiscard]] const std::string& text(std::string_view column) const
    {
        static const std::string none;
        const auto found = m_columns.find(column);
        return found == m_columns.end() ? none : m_fields[found->second];
    }
    [[nodiscard]] const std::string& requiredText(std::string_view column) const
    {
        if (text(column).empty())
            fail(std::string(column) + " is empty");
        return text(column);
    }
    /// Nothing where it is empty.
    [[nodiscard]] std::optional<double> number(std::string_view column) const
    {
        if (text(column).empty())
            return std::nullopt;
        const std::optional<double> value = parseNumber(text(column));
        if (!value)
            fail(std::string(column) + " is \"" + text(column) + "\", which is no number");
        return value;
    }
    [[nodiscard]] double requiredNumber(std::string_view column) const
    {
        static_cast<void>(requiredText(column));
        return *number(column);
    }
    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(Fault::Input, m_place + ": " + what);
    }

private:
    const std::map<std::string, std::size_t, std::less<>>& m_columns;
    std::span<const std::string> m_fields;
    std::string m_place;
};

/// Settings as `calib scales` writes them: "alpha=1;bits=8".
GivenSettings givenFrom(const Fields& fields)
{
    GivenSettings given;
    std::string_view rest = fields.text("settings");
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(';'), rest.size());
        const std::string_view part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos)
            fields.fail("settings has \"" + std::string(part) + "\", which lacks a \"=\"");
        given.insert_or_assign(std::string(part.substr(0, equals)),
                               std::string(part.substr(equals + 1)));
    }
    given.insert_or_assign("bits", fields.requiredText("bits"));
    return given;
}

/// What is known of a calibrator that is none of ours: its name and the scheme.
Choice foreignChoice(const std::string& calibrator, const GivenSettings& given, SchemeKind kind)
{
    const std::vector<Parameter>& ours = schemeParameters();
    GivenSettings ofScheme;
    for (const auto& [id, value] : given)
        if (std::ranges::find(ours, id, &Parameter::id) != ours.end())
            ofScheme.emplace(id, value);
    Choice choice{.recipe = {}, .preset = {}, .calibrator = calibrator};
    choice.settings = Settings(ours, ofScheme, calibrator);
    choice.scheme = schemeFrom(kind, choice.settings);
    return choice;
}

Choice choiceFrom(const Fields& fields)
{
    const std::string& id = fields.text("calibrator");
    const bool isKnown =
        std::ranges::find(calibrators(), id, &Calibrator::id) != calibrators().end();
    try {
        const GivenSettings given = givenFrom(fields);
        const SchemeKind kind = parseSchemeKind(fields.requiredText("scheme"));
        Choice choice = isKnown ? makeChoice(id, given, kind, Granularity::Tensor)
                                : foreignChoice(id, given, kind);
        choice.recipe = fields.text("recipe");
        choice.preset = fields.text("preset");
        return choice;
    } catch (const Error& error) {
        if (error.fault() == Fault::Input)
            throw;
        fields.fail(error.what());
    }
}

Extents extentsFrom(const Fields& fields)
{
    const auto count = [&fields](std::string_view column) {
        const double value = fields.number(column).value_or(0.0);
        return value >= 0.0 && value < 0x1p63 ? static_cast<std::uint64_t>(value) : 0;
    };
    Extents extents;
    extents.nan = count("nan");
    extents.positiveInf = count("inf");
    extents.zeros = count("zeros");
    const std::uint64_t odd = extents.nan + extents.positiveInf;
    extents.finite = std::max(count("values"), odd) - odd;
    extents.min = fields.number("min").value_or(0.0);
    extents.max = fields.number("max").value_or(0.0);
    return extents;
}

ScaleRow rowFrom(const Fields& fields, const Choice& choice)
{
    ScaleRow row{.clip = {}, .quantizer = {}, .extents = extentsFrom(fields), .metrics = {}};
    const Scheme scheme = schemeFor(choice.scheme, {row.extents.min, row.extents.max});
    row.quantizer = {.scale = fields.requiredNumber("scale"),
                     .zeroPoint = fields.requiredNumber("zero_point"),
                     .clip = {},
                     .lowLevel = scheme.lowLevel(),
                     .highLevel = scheme.highLevel(),
                     .rounding = scheme.rounding,
                     .roundsWithZeroPoint = scheme.kind == SchemeKind::AffineReal};
    const Quantizer& quantizer = row.quantizer;
    const std::optional<double> low = fields.number("low");
    const std::optional<double> high = fields.number("high");
    row.quantizer.clip = {.low = low.value_or(quantizer.value(quantizer.lowLevel)),
                          .high = high.value_or(quantizer.value(quantizer.highLevel))};
    row.clip.threshold = fields.number("threshold");
    if (scheme.isAffine() && low && high)
        row.clip.range = row.quantizer.clip;
    for (const Metric& metric : metrics())
        if (const std::optional<double> value = fields.number(metric.id))
            row.metrics.emplace_back(metric.id, *value);
    if (!fields.text("notes").empty())
        row.notes.push_back(fields.text("notes"));
    row.isExact = fields.text("exactness") != "estimated";
    row.hasExactMetrics = fields.text("bounds").empty();
    return row;
}

bool isSameChoice(const Choice& one, const Choice& other)
{
    return one.isSameComputation(other) && one.recipe == other.recipe && one.preset == other.preset;
}

void addRow(TabledTensor& tensor, const Fields& fields, const Choice& choice, std::size_t line)
{
    const std::string lines =
        "lines " + std::to_string(tensor.line) + " and " + std::to_string(line);
    const std::string& channel = fields.text("channel");
    const bool isOfChannel = !channel.empty() && channel != "*";
    const bool isAgain = isOfChannel ? false : tensor.whole.has_value();
    if (!isSameChoice(tensor.choice, choice) || isAgain) {
        tensor.problem = "has several choices, in " + lines + "; write a table of one choice";
        return;
    }
    ScaleRow row = rowFrom(fields, choice);
    if (!isOfChannel) {
        tensor.whole = std::move(row);
        tensor.isPerChannel = tensor.isPerChannel || channel == "*";
        return;
    }
    tensor.isPerChannel = true;
    const std::optional<double> index = parseNumber(channel);
    if (!index || *index < 0.0 || *index >= 0x1p32 || *index != std::floor(*index))
        fields.fail("channel is \"" + channel + "\", which is none");
    if (!tensor.channels.emplace(static_cast<std::uint64_t>(*index), std::move(row)).second)
        tensor.problem = "has channel " + channel + " twice, in " + lines;
}

using Key = std::tuple<std::string, std::string, std::string>;

class ScalesReader
{
public:
    explicit ScalesReader(const std::string& origin) : m_origin(origin) {}

    void row(std::span<const std::string> fields, std::size_t line)
    {
        const std::string place = m_origin + ": line " + std::to_string(line);
        if (m_columns.empty())
            head(fields);
        else if (fields.size() != m_columnCount)
            throw Error(Fault::Input, place + ": has " + std::to_string(fields.size()) +
                                          " fields and the head " + std::to_string(m_columnCount));
        else
            values({m_columns, fields, place}, line);
    }

    [[nodiscard]] std::vector<TabledTensor> finished()
    {
        if (m_columns.empty())
            throw Error(Fault::Input, m_origin + ": is empty");
        return std::move(m_tensors);
    }

private:
    void head(std::span<const std::string> fields)
    {
        m_columnCount = fields.size();
        for (std::size_t column = 0; column < fields.size(); ++column)
            m_columns.emplace(fields[column], column);
        for (const char* needed : {"tensor", "scheme", "bits", "scale", "zero_point"})
            if (!m_columns.contains(needed))
                throw Error(Fault::Input, m_origin + ": has no column " + needed +
                                              "; it has to be a CSV of calib scales");
    }

    void values(const Fields& fields, std::size_t line)
    {
        const Key key{fields.text("file"), fields.requiredText("tensor"), fields.text("role")};
        Choice choice = choiceFrom(fields);
        const auto [place, isNew] = m_places.emplace(key, m_tensors.size());
        if (isNew) {
            TabledTensor tensor{.file = fields.text("file"),
                                .tensor = fields.text("tensor"),
                                .role = parseRole(fields.text("role")),
                                .line = line};
            tensor.choice = choice;
            m_tensors.push_back(std::move(tensor));
        }
        TabledTensor& tensor = m_tensors[place->second];
        if (tensor.problem.empty())
            addRow(tensor, fields, choice, line);
    }

    const std::string& m_origin;
    std::map<std::string, std::size_t, std::less<>> m_columns;
    std::size_t m_columnCount = 0;
    std::map<Key, std::size_t> m_places;
    std::vector<TabledTensor> m_tensors;
};

/// The dump's tensor of that name (or path) and role. Throws Error(Input) a sentence why there is
/// none.
const TensorInfo& tensorOf(const DumpFile& dump, const TabledTensor& written)
{
    std::vector<const TensorInfo*> found;
    for (const TensorInfo& tensor : dump.tensors())
        if (tensor.name == written.tensor && (!written.role || tensor.role == *written.role))
            found.push_back(&tensor);
    // The table may have been made under another layout, and then has another role.
    if (found.empty())
        for (const TensorInfo& tensor : dump.tensors())
            if (tensor.name == written.tensor || tensor.path == written.tensor)
                found.push_back(&tensor);
    if (found.empty())
        throw Error(Fault::Input, "is not in the dump");
    if (found.size() > 1)
        throw Error(Fault::Input, "is the name of " + found[0]->path + " and " + found[1]->path);
    return *found.front();
}

/// Throws Error(Input) a sentence where rows and channels don't agree.
std::vector<ScaleRow> channelsOf(const TabledTensor& written, const TensorInfo& tensor)
{
    if (!written.isPerChannel)
        return {};
    if (written.channels.empty())
        throw Error(Fault::Input, "has a scale for each channel, of which only the widest is "
                                  "written; write the table with --rows channel");
    const std::uint64_t channels = tensor.channelCount();
    if (written.channels.size() != channels || written.channels.rbegin()->first != channels - 1)
        throw Error(Fault::Input, "has scales of " +
                                      countText(written.channels.size(), "channel", "channels") +
                                      ", but the tensor has " + std::to_string(channels));
    std::vector<ScaleRow> rows;
    for (const auto& [channel, row] : written.channels)
        rows.push_back(row);
    return rows;
}

DecidedTensor decidedTensor(const DumpFile& dump, const TabledTensor& written,
                            const DecisionOptions& options)
{
    if (!written.problem.empty())
        throw Error(Fault::Input, written.problem);
    const TensorInfo& recorded = tensorOf(dump, written);
    DecidedTensor decided{.file = dump.identity().path,
                          .info = options.understood ? options.understood(recorded) : recorded,
                          .outcome = {},
                          .graphName = {}};
    Outcome& outcome = decided.outcome;
    outcome.file = decided.file;
    outcome.tensor = decided.info.name;
    outcome.role = decided.info.role;
    outcome.op = decided.info.op;
    outcome.choice = written.choice;
    outcome.channels = channelsOf(written, decided.info);
    if (!outcome.channels.empty())
        outcome.choice.granularity = Granularity::Channel;
    outcome.whole = written.whole ? *written.whole : outcome.channels.front();
    return decided;
}

}  // namespace

std::vector<TabledTensor> scalesFromCsv(std::string_view csv, const std::string& origin)
{
    ScalesReader reader(origin);
    forEachCsvRow(csv, origin, [&reader](std::span<const std::string> fields, std::size_t line) {
        reader.row(fields, line);
    });
    return reader.finished();
}

std::vector<TabledTensor> readScalesCsv(const std::string& path)
{
    constexpr std::uint64_t mostBytes = std::uint64_t{256}
                                        << 20U;  // a row for each of 10^6 channels
    return scalesFromCsv(readWholeFile(path, mostBytes), path);
}

std::vector<std::vector<TabledTensor>> partedByDump(const std::vector<TabledTensor>& written,
                                                    const std::vector<std::string>& dumpPaths,
                                                    const std::string& origin,
                                                    std::vector<std::string>& problems)
{
    const auto nameOf = [](const std::string& path) {
        return std::filesystem::path(path).filename();
    };
    std::map<std::string, std::vector<std::size_t>> dumpsOf;
    std::vector<std::vector<TabledTensor>> parts(dumpPaths.size());
    for (const TabledTensor& tensor : written) {
        const auto [entry, isNew] = dumpsOf.try_emplace(tensor.file);
        std::vector<std::size_t>& dumps = entry->second;
        const auto add = [&](const auto& matches) {
            for (std::size_t dump = 0; dump < dumpPaths.size(); ++dump)
                if (matches(dumpPaths[dump]))
                    dumps.push_back(dump);
        };
        if (isNew) {
            add([&](const std::string& path) {
                return tensor.file.empty() || path == tensor.file;
            });
            if (dumps.empty())
                add([&](const std::string& path) { return nameOf(path) == nameOf(tensor.file); });
            if (dumps.empty())
                problems.push_back(origin + ": line " + std::to_string(tensor.line) + ": " +
                                   tensor.file + " is none of the dumps that were given");
        }
        for (const std::size_t dump : dumps)
            parts[dump].push_back(tensor);
    }
    return parts;
}

Decisions decidedBy(const DumpFile& dump, const std::vector<TabledTensor>& written,
                    const std::string& origin, const DecisionOptions& options)
{
    Decisions decisions;
    std::map<std::string, std::size_t> lineOf;
    for (const TabledTensor& tensor : written) {
        const std::optional<std::string> problem = inputProblem([&] {
            DecidedTensor decided = decidedTensor(dump, tensor, options);
            const auto [first, isNew] = lineOf.emplace(decided.info.path, tensor.line);
            if (!isNew)
                throw Error(Fault::Input, "is given twice, in lines " +
                                              std::to_string(first->second) + " and " +
                                              std::to_string(tensor.line));
            decisions.tensors.push_back(std::move(decided));
        });
        if (problem)
            decisions.problems.push_back(origin + ": line " + std::to_string(tensor.line) + ": " +
                                         tensor.tensor + " " + *problem);
    }
    // In the dump's order, like all decisions.
    std::ranges::stable_sort(decisions.tensors, {}, [&dump](const DecidedTensor& tensor) {
        return dump.find(tensor.info.path).value_or(dump.tensors().size());
    });
    return decisions;
}

}  // namespace calibscope::deploy
