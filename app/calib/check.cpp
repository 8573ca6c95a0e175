// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/model_check.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/report/tables/check_report.h"
#include "core/report/tables/gate.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace calibscope::cli {

namespace {

struct CheckModelOptions : ModelCheckOptions
{
    std::string classNames;
    std::string sort;
    std::string failIf;

    [[nodiscard]] std::optional<Gate> gate() const
    {
        if (failIf.empty())
            return std::nullopt;
        return parseGate(failIf, checkMetrics());
    }
};

/// "0-9,12": the entries of an output that count as classes.
deploy::ClassMask parseClasses(const std::string& text)
{
    deploy::ClassMask mask;
    const auto fail = [&] {
        throw Error(Fault::Usage, "--classes {}: give indices and ranges of them, as in 0-9,12",
                    text);
    };
    constexpr std::uint64_t most = 1U << 24U;
    for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        const char* const stop = text.data() + end;
        auto result = std::from_chars(text.data() + begin, stop, first);
        last = first;
        if (result.ec == std::errc{} && result.ptr != stop && *result.ptr == '-')
            result = std::from_chars(result.ptr + 1, stop, last);
        if (result.ec != std::errc{} || result.ptr != stop || last < first || last > most)
            fail();
        for (std::uint64_t index = first; index <= last; ++index)
            mask.push_back(index);
        begin = end + 1;
    }
    std::ranges::sort(mask);
    mask.erase(std::unique(mask.begin(), mask.end()), mask.end());
    return mask;
}

/// The check's report, written and judged.
class CheckResult
{
public:
    explicit CheckResult(const CheckModelOptions& options)
        : m_options(options), m_gate(options.gate())
    {
        static_cast<void>(options.output.tableFormat());
    }

    /// The exit code.
    [[nodiscard]] int tell(CheckReport report, const Reading& reading) const
    {
        if (m_options.sort == "drop")
            sortByDrop(report.tensors);
        reading.ends();
        write(report);
        for (const std::string& note : report.notes)
            warn(note);
        return judge(report);
    }

private:
    void write(const CheckReport& report) const
    {
        const TableFormat format = m_options.output.tableFormat();
        if (format == TableFormat::Json && m_options.output.columns.empty()) {
            writeOutput(m_options.output.path, checkJson(report));
            return;
        }
        if (format != TableFormat::Aligned || !m_options.output.columns.empty()) {
            TableOutput table(m_options.output, checkColumns());
            for (const std::vector<Cell>& row : checkRows(report))
                table.row(row);
            table.finish("the model has no output and no quantized tensor that the dump knows");
            return;
        }
        Output output(m_options.output.path);
        const auto add = [&](const std::vector<Column>& columns,
                             const std::vector<std::vector<Cell>>& rows) {
            TableWriter table(output.sink(), format, columns);
            table.fitTo(std::numeric_limits<std::size_t>::max());  // all, but empty columns
            for (const std::vector<Cell>& row : rows)
                table.row(row);
            table.finish();
        };
        add(outputColumns(), outputRows(report));
        output.write("\n");
        for (const OutputCheck& checked : report.outputs)
            if (const std::optional<std::string> sentence = drawSentence(checked))
                output.write(*sentence + "\n\n");
        std::vector<std::vector<Cell>> rows = checkRows(report);
        std::erase_if(rows, [](const std::vector<Cell>& row) {
            return row[2] == Cell(std::string("draw"));  // are above
        });
        add(checkColumns(), rows);
        output.finish();
    }

    /// 1 where a condition of --fail-if is met.
    [[nodiscard]] int judge(const CheckReport& report) const
    {
        if (!m_gate)
            return 0;
        int code = 0;
        for (const OutputCheck& output : report.outputs)
            if (m_gate->metric.starts_with("fused") && !output.isRunAsFused()) {
                sayOnStderr("calib: --fail-if " + m_gate->expression + ": \"" + output.name +
                            "\" was not run as fused");
                code = 1;
            }
        for (const CheckValue& value : checkValues(report, m_gate->metric))
            if (offends(*m_gate, value.value)) {
                sayOnStderr("calib: --fail-if " + m_gate->expression + ": " + m_gate->metric +
                            " of \"" + value.of + "\" is " + numberText(value.value));
                code = 1;
            }
        return code;
    }

    const CheckModelOptions& m_options;
    std::optional<Gate> m_gate;
};

int runCheck(CheckModelOptions& options)
{
    return untilSignal([&] {
        const CheckResult result(options);
        options.classes = parseClasses(options.classNames);
        ModelCheck check(options);
        return check.run([&](const deploy::CheckPlan& plan, const Reading& reading) {
            return result.tell(check.report(plan), reading);
        });
    });
}

}  // namespace

Command checkCommand()
{
    const auto options = std::make_shared<CheckModelOptions>();
    Command command{.name = "check",
                    .help = "Comparison of a quantized model with the recorded one, both run"};
    command.add({.names = "model",
                 .target = &options->check.model,
                 .help = "the model that was recorded (.onnx)",
                 .type = "MODEL",
                 .isRequired = true});
    command.add({.names = "quantized",
                 .target = &options->check.quantized,
                 .help = "the quantized model that calib materialize wrote (.onnx)",
                 .type = "QUANTIZED",
                 .isRequired = true});
    command.add(requiredFile(options->dump));
    command.add(mapOption(options->map));
    options->declareRunner(command);
    command.add({.names = "--samples",
                 .target = &options->check.samples,
                 .help = "Only as many of the first batches as hold so many samples (0: all)",
                 .type = "N",
                 .showsDefault = true,
                 .range = OptionRange{0, 1'000'000'000}});
    command.add({.names = "--draws",
                 .target = &options->check.draws,
                 .help = "Further models with every scale times 1 to 1.003, to see what of an "
                         "output's SQNR is luck",
                 .type = "N",
                 .showsDefault = true,
                 .range = OptionRange{0, mostDraws}});
    command.add({.names = "--classes",
                 .target = &options->classNames,
                 .help = "Entries of an output's last axis among which the largest is compared, as "
                         "in 0-9,12 (all)",
                 .type = "INDICES"});
    command.add({.names = "--sort",
                 .target = &options->sort,
                 .help = "Tensors in the graph's order, or those with the largest drop first "
                         "(graph)",
                 .type = "graph|drop",
                 .words = {"graph", "drop"}});
    command.add({.names = "--fail-if",
                 .target = &options->failIf,
                 .help = "Exit code 1 where a figure is beyond a limit: sqnr<20, "
                         "fused_difference<-1, same_argmax<0.99, running<10",
                 .type = "EXPR"});
    command.add({.names = "--progress",
                 .target = &options->tellsProgress,
                 .help = "Print progress to stderr"});
    options->opening.declare(command);
    options->output.declare(command);
    command.run = [options] { return runCheck(*options); };
    return command;
}

}  // namespace calibscope::cli
