// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/open_descriptor.h"
#include "core/base/whole_file.h"
#include "core/deploy/check/check_plan.h"
#include "core/deploy/check/check_steps.h"
#include "core/deploy/names/name_map.h"
#include "core/report/tables/check_report.h"
#include "core/report/tables/gate.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope::cli {

namespace {

namespace fs = std::filesystem;
using deploy::BatchGroup;
using deploy::CheckPlan;
using deploy::CheckRun;

struct CheckModelOptions
{
    deploy::CheckOptions check;
    std::string dump;
    std::string map;
    deploy::RunnerCommand runner;
    std::string classes;
    std::string sort;
    std::string failIf;
    bool tellsProgress = false;
    OpeningOptions opening;
    OutputOptions output;

    [[nodiscard]] std::optional<Gate> gate() const
    {
        if (failIf.empty())
            return std::nullopt;
        return parseGate(failIf, checkMetrics());
    }
};

/// A folder whose lock ends with the process that holds it, however that ends.
class LockedFolder
{
public:
    explicit LockedFolder(const std::string& path)
        : m_folder(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
          m_isHeld(m_folder.isOpen() && ::flock(m_folder.number(), LOCK_EX | LOCK_NB) == 0)
    {}
    [[nodiscard]] bool isHeld() const { return m_isHeld; }

private:
    OpenDescriptor m_folder;
    bool m_isHeld;
};

/// The folder in which the steps and the runner meet; goes away with the check, or where that was
/// killed with the next one.
class CheckFolder
{
public:
    CheckFolder()
    {
        const fs::path temporary = fs::temp_directory_path();
        removeLeft(temporary);
        // Gets the name by which it is found when it is locked already.
        std::string pattern = (temporary / "calibscope-new-check-XXXXXX").string();
        std::error_code failure;
        if (::mkdtemp(pattern.data()) == nullptr)
            failure = {errno, std::generic_category()};
        else {
            m_lock.emplace(pattern);
            m_path = (temporary / (beginning + pattern.substr(pattern.rfind('-') + 1))).string();
            fs::rename(pattern, m_path, failure);
        }
        if (failure)
            throw Error(Fault::Output, "{}: the folder for the runner's files can't be made: {}",
                        pattern, failure.message());
    }
    CheckFolder(const CheckFolder&) = delete;
    CheckFolder& operator=(const CheckFolder&) = delete;
    ~CheckFolder() { remove(); }

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::string file(const std::string& name) const
    {
        return (fs::path(m_path) / name).string();
    }
    void remove() const
    {
        std::error_code ignored;
        fs::remove_all(m_path, ignored);
    }
    /// Forgets what the runs over a group have left.
    void removeRuns() const
    {
        std::error_code ignored;
        for (const char* run : {"float", "written", "fused", "draw"})
            fs::remove_all(fs::path(m_path) / run, ignored);
    }
    [[nodiscard]] std::uint64_t runBytes() const
    {
        std::uint64_t bytes = 0;
        for (const char* run : {"float", "written", "fused"})
            for (const fs::directory_entry& file : fs::directory_iterator(fs::path(m_path) / run))
                bytes += file.file_size();
        return bytes;
    }

private:
    static constexpr const char* beginning = "calibscope-check-";

    /// Removes the user's own folders that no process holds any more.
    static void removeLeft(const fs::path& temporary)
    {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator(temporary, ignored)) {
            struct stat status = {};
            if (entry.path().filename().string().starts_with(beginning) &&
                ::lstat(entry.path().c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                status.st_uid == ::geteuid() && LockedFolder(entry.path().string()).isHeld())
                fs::remove_all(entry.path(), ignored);
        }
    }

    std::string m_path;
    std::optional<LockedFolder> m_lock;
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

/// The runner that comes with the program.
std::string ownRunner()
{
    std::error_code failure;
    const fs::path program = fs::read_symlink("/proc/self/exe", failure);
    const fs::path runner = program.parent_path().parent_path() / "share" / "calibscope" /
                            "runners" / "onnxruntime_node.js";
    if (failure || !fs::exists(runner, failure))
        throw Error(Fault::Usage, "give the program that runs the models with --runner; "
                                  "resources/runners has two");
    std::string quoted = "node '";
    for (const char character : runner.string())
        quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return quoted + "'";
}

/// Time of a run over all groups.
struct RunTimes
{
    std::string runtime;
    double floatSeconds = 0.0;
    double writtenSeconds = 0.0;
    double fusedSeconds = 0.0;
};

/// The whole check: steps under guard, and between them the runner.
class ModelCheck
{
public:
    explicit ModelCheck(const CheckModelOptions& options)
        : m_options(options),
          m_gate(options.gate()),
          m_classes(parseClasses(options.classes)),
          m_runner(options.runner)
    {
        static_cast<void>(options.output.tableFormat());
        if (m_runner.command.empty())
            m_runner.command = ownRunner();
    }

    int run()
    {
        tell("preparing");
        fs::create_directory(m_folder.file("feeds"));
        if (const int code = guarded([this](const Reading& reading) { return prepare(reading); }))
            return code;
        const CheckPlan plan =
            deploy::parsePlan(readWholeFile(m_folder.file("plan.json"), mostStepBytes), "plan");
        m_drawFailures.resize(plan.draws);
        makeRunFolders();
        // The first batch alone tells how much room one takes.
        std::size_t most = 1;
        for (BatchGroup group{.first = 0, .count = 1}; group.first < plan.batches.size();
             group.first += group.count, group.count = most) {
            group.count = std::min(most, plan.batches.size() - group.first);
            if (const int code = runGroup(plan, group))
                return code;
            if (group.first == 0)
                most = std::max<std::uint64_t>(1, mostRunBytes / (m_folder.runBytes() + 1));
            m_folder.removeRuns();
            makeRunFolders();
        }
        return guarded([&](const Reading& reading) { return report(plan, reading); });
    }

    [[nodiscard]] const CheckFolder& folder() const { return m_folder; }

private:
    static constexpr std::uint64_t mostStepBytes = std::uint64_t{256} << 20U;
    static constexpr std::uint64_t mostRunBytes = std::uint64_t{1} << 30U;

    int guarded(const std::function<int(const Reading&)>& work) const
    {
        const WritablePlaces places{.outputPath = m_options.output.path,
                                    .folders = {m_folder.path()},
                                    .beforeEnd = [this] { m_folder.remove(); }};
        return readUnderGuard(m_options.opening.limits, places, work);
    }

    void makeRunFolders() const
    {
        for (const char* run : {"float", "written", "fused", "draw"})
            fs::create_directory(m_folder.file(run));
    }

    void tell(const std::string& what) const
    {
        if (m_options.tellsProgress)
            sayOnStderr("progress: " + what);
    }

    int prepare(const Reading& reading) const
    {
        refuseOverwriting(m_options.output,
                          {m_options.dump, m_options.check.model, m_options.check.quantized});
        const std::shared_ptr<const DumpFile> dump =
            reading.open(m_options.dump, m_options.opening.dumpOptions());
        deploy::CheckOptions options = m_options.check;
        if (!m_options.map.empty())
            options.map = deploy::readNameMap(m_options.map);
        reading.at(options.model, "");
        write("plan.json", deploy::planText(deploy::prepareCheck(options, *dump, m_folder.path(),
                                                                 reading.progress())));
        return 0;
    }

    void write(const std::string& name, const std::string& text) const
    {
        writeWholeFile(m_folder.file(name), text, {.isSynced = false});
    }

    int runGroup(const CheckPlan& plan, const BatchGroup& group)
    {
        const std::string samples = "batches " + std::to_string(group.first + 1) + " to " +
                                    std::to_string(group.first + group.count) + " of " +
                                    std::to_string(plan.batches.size());
        tell(samples + ": the float model");
        m_times.floatSeconds += runModel(plan, CheckRun::Float, group);
        if (const int code = guarded([&](const Reading& reading) {
                const std::shared_ptr<const DumpFile> dump =
                    reading.open(m_options.dump, m_options.opening.dumpOptions());
                reading.at(m_options.dump, "");
                write(stepFile("recorded"),
                      deploy::sumsText(deploy::compareWithRecording(plan, *dump, m_folder.path(),
                                                                    group, reading.progress())));
                return 0;
            }))
            return code;
        tell(samples + ": the quantized model as written");
        m_times.writtenSeconds += runModel(plan, CheckRun::Written, group);
        tell(samples + ": the quantized model as fused");
        m_times.fusedSeconds += runModel(plan, CheckRun::Fused, group);
        const int code = guarded([&](const Reading& reading) {
            reading.at(m_options.check.quantized, "");
            write(stepFile("runs"),
                  deploy::sumsText(deploy::compareRuns(plan, m_folder.path(), group, m_classes,
                                                       reading.progress())));
            return 0;
        });
        if (code == 0)
            for (std::size_t draw = 0; draw < m_drawFailures.size(); ++draw)
                if (m_drawFailures[draw].empty()) {
                    tell(samples + ": draw " + std::to_string(draw + 1) + " of " +
                         std::to_string(m_drawFailures.size()));
                    m_drawFailures[draw] = runDraw(plan, draw + 1, group);
                }
        ++m_groups;
        return code;
    }

    /// The reason for a failure; empty: none. The check continues without the draw.
    [[nodiscard]] std::string runDraw(const CheckPlan& plan, std::uint64_t draw,
                                      const BatchGroup& group)
    {
        const std::string failed = drawStep(draw) + ".txt";
        try {
            runModel(plan, CheckRun::Draw, group, draw);
            const int code = guarded([&](const Reading& reading) {
                reading.at(m_options.check.quantized, "");
                try {
                    write(stepFile(drawStep(draw)),
                          deploy::sumsText(deploy::compareDraw(plan, m_folder.path(), group,
                                                               m_classes, reading.progress())));
                } catch (const Error& error) {
                    write(failed, error.what());
                }
                return 0;
            });
            if (code != 0)
                return "what the runner made of it can't be read";
            return fs::exists(m_folder.file(failed)) ? readWholeFile(m_folder.file(failed))
                                                     : std::string();
        } catch (const Error& error) {
            return error.what();
        }
    }

    [[nodiscard]] static std::string drawStep(std::uint64_t draw)
    {
        return "draw-" + std::to_string(draw);
    }

    [[nodiscard]] std::string stepFile(const std::string& step) const
    {
        return step + "-" + std::to_string(m_groups) + ".json";
    }

    double runModel(const CheckPlan& plan, CheckRun run, const BatchGroup& group,
                    std::uint64_t draw = 0)
    {
        const deploy::RunnerJob job = deploy::jobOf(plan, run, group.first, group.count, draw);
        const deploy::RunnerAnswer answer =
            deploy::runJob(job, m_folder.path(), "job-" + job.model + ".json", m_runner);
        m_times.runtime = answer.runtime;
        return std::accumulate(answer.batchSeconds.begin(), answer.batchSeconds.end(), 0.0);
    }

    int report(const CheckPlan& plan, const Reading& reading) const
    {
        std::vector<deploy::CheckSums> groups;
        std::vector<deploy::DrawSums> draws;
        const auto read = [&](const std::string& step, std::size_t group) {
            const std::string name = step + "-" + std::to_string(group) + ".json";
            return deploy::parseSums(readWholeFile(m_folder.file(name), mostStepBytes), name);
        };
        for (std::size_t group = 0; group < m_groups; ++group) {
            groups.push_back(read("runs", group));
            groups.back().recorded = read("recorded", group).recorded;
        }
        for (const std::string& failure : m_drawFailures) {
            draws.push_back({.failure = failure, .groups = {}});
            for (std::size_t group = 0; failure.empty() && group < m_groups; ++group)
                draws.back().groups.push_back(read(drawStep(draws.size()), group));
        }
        CheckReport report = deploy::reportOf(plan, groups, draws);
        report.runtime = m_times.runtime;
        report.floatSeconds = m_times.floatSeconds;
        report.writtenSeconds = m_times.writtenSeconds;
        report.fusedSeconds = m_times.fusedSeconds;
        if (m_options.sort == "drop")
            sortByDrop(report.tensors);
        reading.ends();
        write(report);
        for (const std::string& note : report.notes)
            warn(note);
        return judge(report);
    }

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
    deploy::ClassMask m_classes;
    deploy::RunnerCommand m_runner;
    CheckFolder m_folder;
    std::size_t m_groups = 0;
    std::vector<std::string> m_drawFailures;  ///< of each draw; empty: none yet
    RunTimes m_times;
};

int runCheck(const CheckModelOptions& options)
{
    int signal = 0;
    try {
        return ModelCheck(options).run();
    } catch (const deploy::StopSignal& stop) {
        signal = stop.signal;  // the folder is gone by now
    }
    (void)std::signal(signal, SIG_DFL);
    (void)::raise(signal);
    return 128 + signal;
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
    command.add({.names = "--runner",
                 .target = &options->runner.command,
                 .help = "Command that runs the models; the path of a job is added (the runner for "
                         "onnxruntime-node that comes with calib)",
                 .type = "COMMAND"});
    command.add({.names = "--runner-timeout",
                 .target = &options->runner.timeoutSeconds,
                 .help = "Kill the runner after so many seconds of one run (0: never)",
                 .type = "SECONDS",
                 .showsDefault = true,
                 .range = OptionRange{0, 1000000}});
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
                 .target = &options->classes,
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
