// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/reading.h"
#include "core/deploy/check/check_plan.h"
#include "core/deploy/check/check_steps.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// A model and its quantized one run on a dump's inputs: steps under guard, and between them the
/// runner.
namespace calibscope::cli {

/// A folder in which steps and the runner meet; goes away with this, or where the process was killed
/// with the next one. Throws Error(Output) where it can't be made.
class CheckFolder
{
public:
    CheckFolder();
    CheckFolder(const CheckFolder&) = delete;
    CheckFolder& operator=(const CheckFolder&) = delete;
    ~CheckFolder();

    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] std::string file(const std::string& name) const;
    void remove() const;

private:
    class Lock;
    std::string m_path;
    std::unique_ptr<const Lock> m_lock;
};

struct ModelCheckOptions
{
    deploy::CheckOptions check;
    std::string dump;
    std::string map;
    deploy::RunnerCommand runner;  ///< without a command: the one that comes with the program
    deploy::ClassMask classes;
    std::vector<std::string> feeds;  ///< --feed
    bool tellsProgress = false;
    std::string progressOf = {};  ///< what its progress begins with
    OpeningOptions opening;
    OutputOptions output;

    /// --runner, --runner-timeout and --feed.
    void declareRunner(Command& command);
    /// Throws Error(Usage) for a text that is not NAME=NUMBER.
    [[nodiscard]] std::map<std::string, double> givenFeeds() const;
};

class ModelCheck
{
public:
    /// The options must outlive it. Throws Error(Runner) where there is none.
    explicit ModelCheck(const ModelCheckOptions& options);

    /// Prepares, runs and compares; then `ends` makes the exit code, under guard. Another code where
    /// a step fails before. Throws Error(Runner) where that fails, and StopSignal.
    int run(const std::function<int(const deploy::CheckPlan&, const Reading&)>& ends);
    /// Instead of run(): prepares, and runs the float model for the means of the averaged tensors'
    /// channels. An exit code; throws as run().
    int averageFloat();
    /// Then runs the quantized model with shifts of its biases, as far as these of the averaged
    /// tensors need it; `errors` becomes the means of their channels less the float model's, by
    /// tensor. An exit code; throws as run().
    int averageErrors(const std::vector<std::string>& tensors,
                      const std::map<std::string, std::vector<double>>& shifts,
                      std::map<std::string, deploy::ChannelMeans>& errors);
    /// The sums of all groups: for `ends`.
    [[nodiscard]] std::vector<deploy::CheckSums> sums() const;
    /// Those of draws or variants: for `ends`.
    [[nodiscard]] std::vector<deploy::DrawSums> draws() const;
    /// Those of operands alone (deploy::CheckOptions::alone): for `ends`.
    [[nodiscard]] std::vector<deploy::DrawSums> alone() const;
    /// Powers at the end by row of the plan's adjoint, then sample, for `ends`. Empty where the
    /// adjoint could not be run: adjointFailure() has the reason.
    [[nodiscard]] std::vector<std::vector<double>> adjoint() const;
    [[nodiscard]] const std::string& adjointFailure() const { return m_adjointFailure; }
    /// The report: for `ends`.
    [[nodiscard]] CheckReport report(const deploy::CheckPlan& plan) const;

private:
    /// Time of a run over all groups.
    struct RunTimes
    {
        std::string runtime;
        double floatSeconds = 0.0;
        double writtenSeconds = 0.0;
        double fusedSeconds = 0.0;
    };

    int guarded(const std::function<int(const Reading&)>& work) const;
    void makeRunFolders() const;
    void removeRuns() const;
    [[nodiscard]] std::uint64_t runBytes() const;
    void tell(const std::string& what) const;
    int prepare(const Reading& reading) const;
    void write(const std::string& name, const std::string& text) const;
    int runGroup(const deploy::CheckPlan& plan, const deploy::BatchGroup& group);
    [[nodiscard]] static std::string groupText(const deploy::CheckPlan& plan,
                                               const deploy::BatchGroup& group);
    /// False where the runner refuses it: the check continues without.
    bool runFused(const deploy::CheckPlan& plan, const deploy::BatchGroup& group);
    /// The reason for a failure; empty: none. The check continues without the draw.
    [[nodiscard]] std::string runDraw(const deploy::CheckPlan& plan, std::uint64_t draw,
                                      const deploy::BatchGroup& group);
    int runCuts(const deploy::CheckPlan& plan, const deploy::BatchGroup& group);
    int runAdjoint(const deploy::CheckPlan& plan, const deploy::BatchGroup& group);
    [[nodiscard]] std::vector<deploy::DrawSums>
    sumsOf(const std::string& steps, const std::vector<std::string>& failures) const;
    [[nodiscard]] std::string stepFile(const std::string& step) const;
    [[nodiscard]] deploy::CheckSums read(const std::string& step, std::size_t group) const;
    int average(const deploy::CheckPlan& plan, deploy::CheckRun run,
                std::map<std::string, deploy::ChannelMeans>& means);
    double runModel(const deploy::CheckPlan& plan, deploy::CheckRun run,
                    const deploy::BatchGroup& group, std::uint64_t draw = 0);
    double runJob(const deploy::RunnerJob& job);

    const ModelCheckOptions& m_options;
    deploy::RunnerCommand m_runner;
    CheckFolder m_folder;
    std::size_t m_groups = 0;
    deploy::CheckPlan m_averaged;                              ///< of averageFloat()
    std::map<std::string, deploy::ChannelMeans> m_floatMeans;  ///< by tensor
    std::string m_fusedFailure;                                ///< empty: none yet
    std::vector<std::string> m_drawFailures;                   ///< of each draw; empty: none yet
    std::vector<std::string> m_aloneFailures;                  ///< likewise of operands alone
    std::string m_adjointFailure;
    RunTimes m_times;
};

/// The exit code of work that starts a runner: where a signal asks the process to end, it does, after
/// its folders are gone.
int untilSignal(const std::function<int()>& work);

}  // namespace calibscope::cli
