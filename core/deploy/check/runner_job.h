// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Jobs for a runner, a program that runs ONNX models, and how it is started. Calibscope
/// contains no runtime: it writes a job into a folder, calls `COMMAND JOB.json`, and reads what the
/// runner has left there. resources/runners has two, docs/deploy.md what one has to do.
namespace calibscope::deploy {

/// A tensor of a model, and the file in the job's folder that holds it.
struct JobTensor
{
    std::string name;
    std::string file;  ///< relative to the folder: "feeds/0-0.npy"
    bool operator==(const JobTensor&) const = default;
};

/// Samples that are run together.
struct JobBatch
{
    std::vector<JobTensor> feeds;    ///< that are there
    std::vector<JobTensor> outputs;  ///< that the runner makes
    bool operator==(const JobBatch&) const = default;
};

struct RunnerJob
{
    std::string model;       ///< file in the folder
    bool optimizes = false;  ///< the runtime may fuse and fold; else it runs each node as written
    std::vector<JobBatch> batches;
    std::string answer;  ///< file that the runner makes when all is done
    bool operator==(const RunnerJob&) const = default;
};

/// The runner's report on its run.
struct RunnerAnswer
{
    std::string runtime;               ///< "onnxruntime-node 1.30.0"
    std::vector<double> batchSeconds;  ///< one for each batch
};

[[nodiscard]] std::string jobText(const RunnerJob& job);
/// Throws Error(Input) that begins with `origin`.
[[nodiscard]] RunnerJob parseJob(const std::string& text, const std::string& origin);

/// How a runner is called.
struct RunnerCommand
{
    std::string command;  ///< for the shell; the path of the job's file is added as its last word
    std::uint64_t timeoutSeconds = 600;  ///< 0: none
};

/// Thrown by runJob() when a signal asked this process to end; the runner has been killed. Not a
/// std::exception: what waits for failures is not to take it for one.
struct StopSignal
{
    int signal = 0;
};

/// Runs the job: writes it to `jobFile` in the folder, starts the command in this process's working
/// directory with the job's path, and waits. What the runner prints goes to the file `jobFile`.log.
/// Throws Error(Runner) that says what the runner did: was not found, ended with a code or a signal
/// (with the last line that it printed), took longer than it may (it and all that it started are
/// killed), left no answer, or not all outputs; and StopSignal. Not for a process of several
/// threads, nor for one under guards, which starts no programs.
[[nodiscard]] RunnerAnswer runJob(const RunnerJob& job, const std::string& folder,
                                  const std::string& jobFile, const RunnerCommand& command);

}  // namespace calibscope::deploy
