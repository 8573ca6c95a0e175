// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/choice_options.h"
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/collect/collect_profile.h"
#include "core/collect/compare_tensors.h"
#include "core/collect/held_values.h"
#include "core/dump/dump_file.h"
#include "core/report/tables/comparison_table.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct CompareOptions
{
    std::string a;
    std::string b;
    std::vector<std::string> matches;  // A=B
    bool inOrder = false;
    EffortOptions effort;
    ChoiceOptions choices;
    TensorOptions tensors;
    LayoutOverrideOptions layoutOverride;
    OpeningOptions opening;
    OutputOptions output;
};

using NamePairs = std::vector<std::pair<std::string, std::string>>;

NamePairs manualPaths(const CompareOptions& options, const DumpFile& a, const DumpFile& b)
{
    NamePairs pairs;
    for (const std::string& text : options.matches) {
        const std::size_t place = text.find('=');
        if (place == std::string::npos)
            throw Error(Fault::Usage, "--match {}: is not of the form A=B", text);
        const std::size_t indexA = a.indexOf(text.substr(0, place));
        const std::size_t indexB = b.indexOf(text.substr(place + 1));
        pairs.emplace_back(a.tensors()[indexA].path, b.tensors()[indexB].path);
    }
    return pairs;
}

std::vector<TensorInfo> understood(const DumpFile& dump, const CompareOptions& options)
{
    std::vector<TensorInfo> tensors;
    for (const TensorInfo& tensor : dump.tensors())
        tensors.push_back(options.layoutOverride.applied(tensor));
    return tensors;
}

/// Two dumps and the findings on them.
class Comparing
{
public:
    Comparing(const CompareOptions& options, const DumpFile& a, const DumpFile& b,
              const Reading& reading, Complaints& complaints)
        : m_options(options),
          m_reading(reading),
          m_a(a),
          m_b(b),
          m_tensorsA(understood(a, options)),
          m_tensorsB(understood(b, options)),
          m_consumers(m_tensorsA),
          m_matches(matchTensors(m_tensorsA, m_tensorsB, manualPaths(options, a, b))),
          m_complaints(complaints)
    {
        for (const std::size_t index : options.tensors.selected(a))
            m_selected.insert(index);
    }

    /// The pairs that could be read, the one that has drifted furthest first.
    [[nodiscard]] std::vector<ComparedTensor> pairs() const
    {
        std::vector<ComparedTensor> compared;
        for (const TensorPair& pair : m_matches.pairs) {
            if (!m_selected.contains(pair.a))
                continue;
            m_complaints.attempt([&] { compared.push_back(compare(pair)); });
        }
        if (!m_options.inOrder)
            std::stable_sort(compared.begin(), compared.end(), hasDriftedFurther);
        return compared;
    }

    /// Tensors without a counterpart; those of B only where all tensors are asked for.
    [[nodiscard]] std::vector<std::vector<Cell>> unmatched() const
    {
        std::vector<std::vector<Cell>> rows;
        for (const std::size_t index : m_matches.onlyA)
            if (m_selected.contains(index))
                rows.push_back(unmatchedRow(m_tensorsA[index], Side::A));
        if (m_options.tensors.patterns.empty())
            for (const std::size_t index : m_matches.onlyB)
                rows.push_back(unmatchedRow(m_tensorsB[index], Side::B));
        return rows;
    }

private:
    [[nodiscard]] ComparedTensor compare(const TensorPair& pair) const
    {
        const TensorInfo& infoA = readable(m_tensorsA[pair.a], m_a);
        const TensorInfo& infoB = readable(m_tensorsB[pair.b], m_b);
        warnOfDoubts(m_a.identity().path, infoA);
        warnOfDoubts(m_b.identity().path, infoB);
        // Several passes follow, and decoding costs most of one.
        const std::uint64_t bytes = AnalyseOptions{}.memoryBytes / 2;
        const Progress& progress = m_reading.progress();
        m_reading.at(m_a.identity().path, infoA.path);
        const ValueSource sourceA =
            heldIfSmall(m_a.source(infoA, m_options.layoutOverride.batches), bytes, progress);
        TensorProfile profileA = collectProfile(sourceA, progress);
        m_reading.at(m_b.identity().path, infoB.path);
        const ValueSource sourceB =
            heldIfSmall(m_b.source(infoB, m_options.layoutOverride.batches), bytes, progress);
        TensorProfile profileB = collectProfile(sourceB, progress);
        const std::vector<Choice> choices = m_options.choices.choicesFor(infoA, m_consumers);
        const AnalyseOptions analysis{.effort = m_options.effort.effort(), .ask = m_reading.ask()};
        return {.a = infoA,
                .b = infoB,
                .rule = pair.rule,
                .isSameShape = pair.isSameShape,
                .extentsA = profileA.extents(),
                .extentsB = profileB.extents(),
                .comparison = compareTensors({sourceA, profileA, otherTensorsOfA()},
                                             {sourceB, profileB, otherTensorsOfB()}, choices,
                                             analysis, progress)};
    }

    /// Tensors of A by the paths that its choices name.
    [[nodiscard]] std::function<ValueSource(const std::string&)> otherTensorsOfA() const
    {
        return [this](const std::string& path) {
            return m_a.source(m_tensorsA[m_a.indexOf(path)], m_options.layoutOverride.batches);
        };
    }

    /// The counterparts of the tensors that A's choices name.
    [[nodiscard]] std::function<ValueSource(const std::string&)> otherTensorsOfB() const
    {
        return [this](const std::string& path) {
            const auto pair = std::ranges::find(m_matches.pairs, m_a.indexOf(path), &TensorPair::a);
            if (pair == m_matches.pairs.end())
                throw Error(Fault::Input, "{}: has no counterpart of {}, whose range is needed",
                            m_b.identity().path, path);
            return m_b.source(m_tensorsB[pair->b], m_options.layoutOverride.batches);
        };
    }

    static const TensorInfo& readable(const TensorInfo& tensor, const DumpFile& dump)
    {
        if (!tensor.isReadable())
            throw Error(Fault::Input, "{}:{}: {}", dump.identity().path, tensor.path,
                        tensor.unreadable.sentence);
        return tensor;
    }

    const CompareOptions& m_options;
    const Reading& m_reading;
    const DumpFile& m_a;
    const DumpFile& m_b;
    std::vector<TensorInfo> m_tensorsA;
    std::vector<TensorInfo> m_tensorsB;
    Consumers m_consumers;
    TensorMatches m_matches;
    Complaints& m_complaints;
    std::set<std::size_t> m_selected;
};

int runCompare(CompareOptions& options, const Reading& reading)
{
    refuseOverwriting(options.output, {options.a, options.b});
    options.choices.resolve();
    TableOutput table(options.output, comparisonColumns(),
                      "tensor,other_tensor,match,recipe,preset,calibrator,sqnr_loss_db,sqnr_db,"
                      "transferred_sqnr_db,max_ratio,kl_drift,scale_ratio,note");
    const auto a = reading.open(options.a, options.opening.dumpOptions());
    const auto b = reading.open(options.b, options.opening.dumpOptions());
    options.layoutOverride.check(*a);
    Complaints complaints;
    const Comparing comparing(options, *a, *b, reading, complaints);
    for (const std::vector<Cell>& row : comparing.unmatched())
        table.row(row);
    for (const ComparedTensor& tensor : comparing.pairs())
        for (const std::vector<Cell>& row : comparisonRows(tensor))
            table.row(row);
    reading.ends();
    table.finish();
    return complaints.exitCode();
}

}  // namespace

Command compareCommand()
{
    const auto options = std::make_shared<CompareOptions>();
    Command command{.name = "compare",
                    .help = "How the tensors of two dumps differ, and how the scales of the first "
                            "fit the values of the second"};
    command.add({.names = "a",
                 .target = &options->a,
                 .help = "Dump to compare against",
                 .type = "A",
                 .isRequired = true});
    command.add({.names = "b",
                 .target = &options->b,
                 .help = "Dump to compare",
                 .type = "B",
                 .isRequired = true});
    command.add({.names = "--match",
                 .target = &options->matches,
                 .help = "A tensor of A and its counterpart in B",
                 .type = "TENSOR=TENSOR"});
    command.add({.names = "--in-order",
                 .target = &options->inOrder,
                 .help = "In the order of A (default: largest drift first)"});
    options->choices.declare(command);
    options->tensors.declare(command);
    options->layoutOverride.declare(command);
    options->effort.declare(command,
                            "Metrics and drift from the sketches alone, with bounds, whatever "
                            "these are; none per channel");
    options->opening.declare(command);
    options->output.declare(command);
    command.run = underGuard(options, runCompare);
    return command;
}

}  // namespace calibscope::cli
