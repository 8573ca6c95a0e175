// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/model_check.h"

#include "core/base/error.h"
#include "core/base/open_descriptor.h"
#include "core/base/whole_file.h"
#include "core/deploy/names/name_map.h"
#include "core/model/layer_stages.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace calibscope::cli {

namespace fs = std::filesystem;
using deploy::BatchGroup;
using deploy::CheckPlan;
using deploy::CheckRun;

/// A folder whose lock ends with the process that holds it, however that ends.
class CheckFolder::Lock
{
public:
    explicit Lock(const std::string& path)
        : m_folder(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
          m_isHeld(m_folder.isOpen() && ::flock(m_folder.number(), LOCK_EX | LOCK_NB) == 0)
    {}
    [[nodiscard]] bool isHeld() const { return m_isHeld; }

    /// Removes the user's own folders that no process holds any more.
    static void removeLeft(const fs::path& temporary)
    {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator(temporary, ignored)) {
            struct stat status = {};
            if (entry.path().filename().string().starts_with(beginning) &&
                ::lstat(entry.path().c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                status.st_uid == ::geteuid() && Lock(entry.path().string()).isHeld())
                fs::remove_all(entry.path(), ignored);
        }
    }

    static constexpr const char* beginning = "calibscope-check-";

private:
    OpenDescriptor m_folder;
    bool m_isHeld;
};

CheckFolder::CheckFolder()
{
    const fs::path temporary = fs::temp_directory_path();
    Lock::removeLeft(temporary);
    // Gets the name by which it is found when it is locked already.
    std::string pattern = (temporary / "calibscope-new-check-XXXXXX").string();
    std::error_code failure;
    if (::mkdtemp(pattern.data()) == nullptr)
        failure = {errno, std::generic_category()};
    else {
        m_lock = std::make_unique<const Lock>(pattern);
        m_path = (temporary / (Lock::beginning + pattern.substr(pattern.rfind('-') + 1))).string();
        fs::rename(pattern, m_path, failure);
    }
    if (failure)
        throw Error(Fault::Output, "{}: the folder for the runner's files can't be made: {}",
                    pattern, failure.message());
}

CheckFolder::~CheckFolder()
{
    remove();
}

std::string CheckFolder::file(const std::string& name) const
{
    return (fs::path(m_path) / name).string();
}

void CheckFolder::remove() const
{
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

namespace {

constexpr std::uint64_t mostStepBytes = std::uint64_t{256} << 20U;
constexpr std::uint64_t mostRunBytes = std::uint64_t{1} << 30U;
constexpr std::array runFolders = {"float", "written", "fused", "draw", "cut", "adjoint"};

/// The runner that comes with the program.
std::string ownRunner()
{
    std::error_code failure;
    const fs::path program = fs::read_symlink("/proc/self/exe", failure);
    const fs::path runner = program.parent_path().parent_path() / "share" / "calibscope" /
                            "runners" / "onnxruntime_node.js";
    if (failure || !fs::exists(runner, failure))
        throw Error(Fault::Runner,
                    "no runner is installed next to calib: name the program that runs models "
                    "(--runner; on the page Deploy under Settings); resources/runners has two");
    std::string quoted = "node '";
    for (const char character : runner.string())
        quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return quoted + "'";
}

constexpr const char* drawSteps = "draw-";
constexpr const char* aloneSteps = "alone-";

}  // namespace

void ModelCheckOptions::declareRunner(Command& command)
{
    command.add({.names = "--runner",
                 .target = &runner.command,
                 .help = "Command that runs the models; the path of a job is added (the runner for "
                         "onnxruntime-node that comes with calib)",
                 .type = "COMMAND"});
    command.add({.names = "--runner-timeout",
                 .target = &runner.timeoutSeconds,
                 .help = "Kill the runner after so many seconds of one run (0: never)",
                 .type = "SECONDS",
                 .showsDefault = true,
                 .range = OptionRange{0, 1000000}});
    command.add({.names = "--feed",
                 .target = &feeds,
                 .help = "An input of the model that was not recorded: that number for all of its "
                         "elements; may be repeated",
                 .type = "NAME=NUMBER"});
}

std::map<std::string, double> ModelCheckOptions::givenFeeds() const
{
    std::map<std::string, double> given;
    for (const std::string& text : feeds) {
        const std::size_t sign = text.rfind('=');
        const auto value =
            parseNumber(sign == std::string::npos ? std::string_view()
                                                  : std::string_view(text).substr(sign + 1));
        if (!value || sign == 0)
            throw Error(Fault::Usage, "--feed {}: give an input and a number, as in state=0", text);
        given[text.substr(0, sign)] = *value;
    }
    return given;
}

ModelCheck::ModelCheck(const ModelCheckOptions& options)
    : m_options(options), m_runner(options.runner)
{
    if (m_runner.command.empty())
        m_runner.command = ownRunner();
}

int ModelCheck::run(const std::function<int(const CheckPlan&, const Reading&)>& ends)
{
    tell("preparing");
    fs::create_directory(m_folder.file("feeds"));
    if (const int code = guarded([this](const Reading& reading) { return prepare(reading); }))
        return code;
    const CheckPlan plan =
        deploy::parsePlan(readWholeFile(m_folder.file("plan.json"), mostStepBytes), "plan");
    m_drawFailures.resize(plan.draws);
    m_aloneFailures.assign(m_options.check.alone.size(), "is in no cut");
    for (const deploy::PlannedCut& cut : plan.cuts)
        for (const deploy::PlannedOperand& operand : cut.operands)
            m_aloneFailures.at(operand.asked).clear();
    makeRunFolders();
    // The float model's run over the first batch tells how much room one takes.
    if (!plan.batches.empty())
        m_times.floatSeconds += runModel(plan, CheckRun::Float, {.first = 0, .count = 1});
    constexpr std::uint64_t mostRunsOfOne = 3;
    const std::uint64_t most =
        std::max<std::uint64_t>(1, mostRunBytes / (mostRunsOfOne * runBytes() + 1));
    for (BatchGroup group; group.first < plan.batches.size(); group.first += group.count) {
        group.count = std::min<std::size_t>(most, plan.batches.size() - group.first);
        if (const int code = runGroup(plan, group))
            return code;
        removeRuns();
        makeRunFolders();
    }
    return guarded([&](const Reading& reading) { return ends(plan, reading); });
}

int ModelCheck::averageFloat()
{
    tell("preparing");
    fs::create_directory(m_folder.file("feeds"));
    if (const int code = guarded([this](const Reading& reading) { return prepare(reading); }))
        return code;
    m_averaged =
        deploy::parsePlan(readWholeFile(m_folder.file("plan.json"), mostStepBytes), "plan");
    tell("the float model");
    return average(m_averaged, CheckRun::Float, m_floatMeans);
}

int ModelCheck::averageErrors(const std::vector<std::string>& tensors,
                              const std::map<std::string, std::vector<double>>& shifts,
                              std::map<std::string, deploy::ChannelMeans>& errors)
{
    CheckPlan plan = m_averaged;
    plan.tensors.clear();
    plan.outputs.clear();
    std::vector<model::LayerChange> changes;
    for (const deploy::ProbedTensor& tensor : m_averaged.tensors) {
        if (std::ranges::find(tensors, tensor.name) != tensors.end()) {
            plan.tensors.push_back(tensor);
            plan.tensors.back().place = plan.outputs.size();
            plan.outputs.push_back(m_averaged.outputs[tensor.place]);
        }
        if (const auto shift = shifts.find(tensor.name); shift != shifts.end()) {
            changes.push_back({.output = tensor.name, .biasShift = shift->second});
            for (std::size_t channel = 0; channel < tensor.times.size(); ++channel)
                changes.back().biasShift.at(channel) *= static_cast<double>(tensor.times[channel]);
        }
    }
    if (const int code = guarded([&](const Reading& reading) {
            reading.at(m_options.check.quantized, "");
            write("quantized.onnx",
                  model::shiftedCut(*model::ModelFile::read(m_options.check.quantized), changes,
                                    tensors));
            return 0;
        }))
        return code;
    errors.clear();
    if (const int code = average(plan, CheckRun::Written, errors))
        return code;
    for (auto& [name, means] : errors)
        for (std::size_t sample = 0; sample < means.size(); ++sample)
            std::ranges::transform(means[sample], m_floatMeans.at(name).at(sample),
                                   means[sample].begin(), std::minus<>());
    return 0;
}

/// Batch after batch, since all layers of one may take much room.
int ModelCheck::average(const CheckPlan& plan, CheckRun run,
                        std::map<std::string, deploy::ChannelMeans>& means)
{
    const std::string step = "means.json";
    for (BatchGroup group{.first = 0, .count = 1}; group.first < plan.batches.size();
         ++group.first) {
        makeRunFolders();
        runModel(plan, run, group);
        if (const int code = guarded([&](const Reading& reading) {
                reading.at(m_options.check.quantized, "");
                write(step,
                      deploy::meansText(deploy::channelMeans(plan, run, m_folder.path(), group)));
                return 0;
            }))
            return code;
        removeRuns();
        const std::vector<deploy::ChannelMeans> batch =
            deploy::parseMeans(readWholeFile(m_folder.file(step), mostStepBytes), step);
        for (std::size_t index = 0; index < plan.tensors.size(); ++index) {
            deploy::ChannelMeans& all = means[plan.tensors[index].name];
            all.insert(all.end(), batch.at(index).begin(), batch.at(index).end());
        }
    }
    return 0;
}

int ModelCheck::guarded(const std::function<int(const Reading&)>& work) const
{
    const WritablePlaces places{.outputPath = m_options.output.path,
                                .folders = {m_folder.path()},
                                .beforeEnd = [this] { m_folder.remove(); }};
    return readUnderGuard(m_options.opening.limits, places, work);
}

void ModelCheck::makeRunFolders() const
{
    for (const char* run : runFolders)
        fs::create_directory(m_folder.file(run));
}

/// Forgets what the runs over a group have left.
void ModelCheck::removeRuns() const
{
    std::error_code ignored;
    for (const char* run : runFolders)
        fs::remove_all(m_folder.file(run), ignored);
}

std::uint64_t ModelCheck::runBytes() const
{
    std::uint64_t bytes = 0;
    for (const char* run : {"float", "written", "fused", "cut"})
        for (const fs::directory_entry& file : fs::directory_iterator(m_folder.file(run)))
            bytes += file.file_size();
    return bytes;
}

void ModelCheck::tell(const std::string& what) const
{
    if (m_options.tellsProgress)
        sayOnStderr("progress: " + m_options.progressOf + what);
}

int ModelCheck::prepare(const Reading& reading) const
{
    refuseOverwriting(m_options.output,
                      {m_options.dump, m_options.check.model, m_options.check.quantized});
    const std::shared_ptr<const DumpFile> dump =
        reading.open(m_options.dump, m_options.opening.dumpOptions());
    deploy::CheckOptions options = m_options.check;
    options.feeds = m_options.givenFeeds();
    if (!m_options.map.empty())
        options.map = deploy::readNameMap(m_options.map);
    reading.at(options.model, "");
    write("plan.json", deploy::planText(deploy::prepareCheck(options, *dump, m_folder.path(),
                                                             reading.progress())));
    return 0;
}

void ModelCheck::write(const std::string& name, const std::string& text) const
{
    writeWholeFile(m_folder.file(name), text, {.isSynced = false});
}

std::string ModelCheck::groupText(const CheckPlan& plan, const BatchGroup& group)
{
    return "batches " + std::to_string(group.first + 1) + " to " +
           std::to_string(group.first + group.count) + " of " + std::to_string(plan.batches.size());
}

int ModelCheck::runGroup(const CheckPlan& plan, const BatchGroup& group)
{
    const std::string samples = groupText(plan, group);
    tell(samples + ": the float model");
    const std::size_t ran = group.first == 0 ? 1 : 0;
    if (group.count > ran)
        m_times.floatSeconds += runModel(plan, CheckRun::Float,
                                         {.first = group.first + ran, .count = group.count - ran});
    if (const int code = guarded([&](const Reading& reading) {
            const std::shared_ptr<const DumpFile> dump =
                reading.open(m_options.dump, m_options.opening.dumpOptions());
            reading.at(m_options.dump, "");
            write(stepFile("recorded"),
                  deploy::sumsText(deploy::compareWithRecording(plan, *dump, m_folder.path(), group,
                                                                reading.progress())));
            return 0;
        }))
        return code;
    if (!plan.quantized.empty()) {
        tell(samples + ": the quantized model as written");
        m_times.writtenSeconds += runModel(plan, CheckRun::Written, group);
    }
    const bool hasFused = !plan.judgesEnds && m_fusedFailure.empty() && runFused(plan, group);
    int code = guarded([&](const Reading& reading) {
        reading.at(plan.quantized, "");
        write(stepFile("runs"),
              deploy::sumsText(deploy::compareRuns(plan, m_folder.path(), group, m_options.classes,
                                                   hasFused, reading.progress())));
        return 0;
    });
    if (code == 0)
        for (std::size_t draw = 0; draw < m_drawFailures.size(); ++draw)
            if (m_drawFailures[draw].empty()) {
                tell(samples + ": draw " + std::to_string(draw + 1) + " of " +
                     std::to_string(m_drawFailures.size()));
                m_drawFailures[draw] = runDraw(plan, draw + 1, group);
            }
    if (code == 0 && !plan.cuts.empty())
        code = runCuts(plan, group);
    if (code == 0 && !plan.adjoint.vector.empty() && m_adjointFailure.empty())
        code = runAdjoint(plan, group);
    ++m_groups;
    return code;
}

bool ModelCheck::runFused(const CheckPlan& plan, const BatchGroup& group)
{
    tell(groupText(plan, group) + ": the quantized model as fused");
    try {
        m_times.fusedSeconds += runModel(plan, CheckRun::Fused, group);
    } catch (const Error& error) {
        m_fusedFailure = error.what();
        m_times.fusedSeconds = 0.0;
    }
    return m_fusedFailure.empty();
}

std::string ModelCheck::runDraw(const CheckPlan& plan, std::uint64_t draw, const BatchGroup& group)
{
    const std::string step = drawSteps + std::to_string(draw);
    const std::string failed = step + ".txt";
    try {
        runModel(plan, CheckRun::Draw, group, draw);
        const int code = guarded([&](const Reading& reading) {
            reading.at(m_options.check.quantized, "");
            try {
                write(stepFile(step),
                      deploy::sumsText(deploy::compareDraw(plan, m_folder.path(), group,
                                                           m_options.classes, reading.progress())));
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

int ModelCheck::runCuts(const CheckPlan& plan, const BatchGroup& group)
{
    const auto fail = [&](const deploy::PlannedCut& cut, const std::string& why) {
        for (const deploy::PlannedOperand& operand : cut.operands)
            m_aloneFailures[operand.asked] = why;
    };
    if (runBytes() > mostRunBytes) {
        for (const deploy::PlannedCut& cut : plan.cuts)
            fail(cut, "what it takes of one batch has more than 1 GiB");
        return 0;
    }
    if (const int code = guarded([&](const Reading& reading) {
            reading.at(plan.model, "");
            deploy::quantizeOperands(plan, m_folder.path(), group);
            return 0;
        }))
        return code;
    std::vector<std::size_t> ran;
    for (std::size_t cut = 0; cut < plan.cuts.size(); ++cut)
        try {
            if (m_aloneFailures[plan.cuts[cut].operands.front().asked].empty()) {
                tell("what follows layers: " + std::to_string(cut + 1) + " of " +
                     std::to_string(plan.cuts.size()));
                runJob(deploy::cutJobOf(plan, cut, group.first, group.count));
                ran.push_back(cut);
            }
        } catch (const Error& error) {
            fail(plan.cuts[cut], error.what());
        }
    return guarded([&](const Reading& reading) {
        reading.at(plan.model, "");
        for (const std::size_t cut : ran)
            for (std::size_t operand = 0; operand < plan.cuts[cut].operands.size(); ++operand)
                write(stepFile(aloneSteps +
                               std::to_string(plan.cuts[cut].operands[operand].asked + 1)),
                      deploy::sumsText(deploy::compareCut(plan, cut, operand, m_folder.path(),
                                                          group, m_options.classes)));
        return 0;
    });
}

int ModelCheck::runAdjoint(const CheckPlan& plan, const BatchGroup& group)
{
    const std::string step = stepFile("vectors");
    if (const int code = guarded([&](const Reading& reading) {
            reading.at(plan.model, "");
            write(step, std::to_string(deploy::writeVectors(plan, m_folder.path(), group)));
            return 0;
        }))
        return code;
    const std::size_t vectors = std::stoul(readWholeFile(m_folder.file(step), mostStepBytes));
    try {
        for (std::size_t vector = 0; vector < vectors; ++vector) {
            tell("the way back: " + std::to_string(vector + 1) + " of " + std::to_string(vectors));
            runJob(deploy::adjointJobOf(plan, group.first, group.count, vector));
        }
    } catch (const Error& error) {
        m_adjointFailure = error.what();
        return 0;
    }
    return guarded([&](const Reading& reading) {
        reading.at(plan.model, "");
        write(stepFile("adjoint"),
              deploy::meansText({deploy::adjointPowers(plan, m_folder.path(), group, vectors)}));
        return 0;
    });
}

std::vector<std::vector<double>> ModelCheck::adjoint() const
{
    std::vector<std::vector<double>> all;
    for (std::size_t group = 0; m_adjointFailure.empty() && group < m_groups; ++group) {
        const std::string name = "adjoint-" + std::to_string(group) + ".json";
        const deploy::ChannelMeans powers =
            deploy::parseMeans(readWholeFile(m_folder.file(name), mostStepBytes), name).at(0);
        all.resize(powers.size());
        for (std::size_t row = 0; row < powers.size(); ++row)
            all[row].insert(all[row].end(), powers[row].begin(), powers[row].end());
    }
    return all;
}

std::string ModelCheck::stepFile(const std::string& step) const
{
    return step + "-" + std::to_string(m_groups) + ".json";
}

deploy::CheckSums ModelCheck::read(const std::string& step, std::size_t group) const
{
    const std::string name = step + "-" + std::to_string(group) + ".json";
    return deploy::parseSums(readWholeFile(m_folder.file(name), mostStepBytes), name);
}

std::vector<deploy::CheckSums> ModelCheck::sums() const
{
    std::vector<deploy::CheckSums> groups;
    for (std::size_t group = 0; group < m_groups; ++group) {
        groups.push_back(read("runs", group));
        groups.back().recorded = read("recorded", group).recorded;
    }
    return groups;
}

std::vector<deploy::DrawSums> ModelCheck::draws() const
{
    return sumsOf(drawSteps, m_drawFailures);
}

std::vector<deploy::DrawSums> ModelCheck::alone() const
{
    return sumsOf(aloneSteps, m_aloneFailures);
}

std::vector<deploy::DrawSums> ModelCheck::sumsOf(const std::string& steps,
                                                 const std::vector<std::string>& failures) const
{
    std::vector<deploy::DrawSums> sums;
    for (const std::string& failure : failures) {
        sums.push_back({.failure = failure, .groups = {}});
        for (std::size_t group = 0; failure.empty() && group < m_groups; ++group)
            sums.back().groups.push_back(read(steps + std::to_string(sums.size()), group));
    }
    return sums;
}

CheckReport ModelCheck::report(const CheckPlan& plan) const
{
    CheckReport report = deploy::reportOf(plan, sums(), draws(), m_fusedFailure);
    report.runtime = m_times.runtime;
    report.floatSeconds = m_times.floatSeconds;
    report.writtenSeconds = m_times.writtenSeconds;
    report.fusedSeconds = m_times.fusedSeconds;
    return report;
}

double ModelCheck::runModel(const CheckPlan& plan, CheckRun run, const BatchGroup& group,
                            std::uint64_t draw)
{
    return runJob(deploy::jobOf(plan, run, group.first, group.count, draw));
}

double ModelCheck::runJob(const deploy::RunnerJob& job)
{
    const deploy::RunnerAnswer answer =
        deploy::runJob(job, m_folder.path(), "job-" + job.model + ".json", m_runner);
    m_times.runtime = answer.runtime;
    return std::accumulate(answer.batchSeconds.begin(), answer.batchSeconds.end(), 0.0);
}

int untilSignal(const std::function<int()>& work)
{
    int signal = 0;
    try {
        return work();
    } catch (const deploy::StopSignal& stop) {
        signal = stop.signal;  // the folders are gone by now
    }
    (void)std::signal(signal, SIG_DFL);
    (void)::raise(signal);
    return 128 + signal;
}

}  // namespace calibscope::cli
