#include "app/calib/command_output.h"
#include "app/calib/profile_files.h"
#include "app/calib/profile_steps.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/collect/at_once.h"
#include "core/collect/collect_joined.h"
#include "core/dump/profile_writer.h"
#include "core/spread/stored_profile.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

/// What came of a tensor.
struct ProfileAnswer
{
    std::string bytes = {};
    std::string problem = {};
};

ProfileAnswer answerFor(const ProfileFiles& files, const spread::JoinedTensor& tensor,
                        std::uint64_t memoryBytes, const Reading& reading)
{
    if (!tensor.problem.empty())
        return {.problem = tensor.problem};
    try {
        std::vector<ValueSource> parts;
        std::vector<std::uint64_t> places;
        std::vector<std::string> names;
        for (const spread::JoinedPart& part : tensor.parts) {
            parts.push_back(files.source(part));
            places.push_back(files.place(part));
            names.push_back(files.name(part));
        }
        reading.at(names.front(), tensor.info.path);
        const auto needs = [&](const Extents& extents) {
            return files.needs().of(tensor.info, extents);
        };
        return {.bytes = bytesOf(collectJoined(tensor, std::move(parts), places, names, needs,
                                               memoryBytes, reading.progress()))};
    } catch (const Error& error) {
        if (error.fault() != Fault::Input)
            throw;
        return {.problem = error.what()};
    }
}

/// Writes the profiles of all tensors, and lists them.
void writeTensors(const ProfileFiles& files, std::uint64_t memoryBytes, const Reading& reading,
                  ProfileWriter& writer, spread::ProfileIndex& index, Complaints& complaints)
{
    const std::vector<spread::JoinedTensor>& tensors = files.tensors();
    std::vector<ProfileAnswer> answers(tensors.size());
    const std::uint64_t smallBytes = memoryBytes / 4 / threadsAtMost();
    inOrder(answers.size(),
            {.work =
                 [&](std::size_t tensor) {
                     answers[tensor] = answerFor(files, tensors[tensor], memoryBytes, reading);
                 },
             .deliver =
                 [&](std::size_t tensor) {
                     const ProfileAnswer answer = std::exchange(answers[tensor], {});
                     if (answer.problem.empty()) {
                         warnOfDoubts(files.name(tensors[tensor].parts.front()),
                                      tensors[tensor].info);
                         writer.addTensor(answer.bytes);
                         index.tensors.push_back(tensors[tensor].info);
                     } else {
                         complaints.add(answer.problem);
                         index.warnings.push_back(answer.problem);
                     }
                 },
             .isAlone =
                 [&](std::size_t tensor) {
                     return tensors[tensor].info.valueCount() * sizeof(float) > smallBytes;
                 }});
}

/// Started several times by a launcher, each would do all of the work and write the same file.
void refuseLaunchers()
{
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
        const char* const text = std::getenv(name);
        const std::optional<double> count = text != nullptr ? parseNumber(text) : std::nullopt;
        if (count && *count > 1.0)
            throw Error(Fault::Usage, std::string("it was started ") + text + " times (" + name +
                                          "), each of which would read all files; share the work "
                                          "with --step and --part, or start one");
    }
}

/// Throws Error(Usage) where options contradict each other.
void check(const ProfileOptions& options)
{
    const bool isLast = options.step.empty() || options.step == "finish";
    const bool isShared = options.step == "sums" || options.step == "counts";
    if (isLast && options.output.path.empty())
        throw Error(Fault::Usage, "a profile is a file of HDF5; name it with -o P.h5");
    if (!options.step.empty() && options.partsFolder.empty())
        throw Error(Fault::Usage, "--step " + options.step +
                                      " needs --parts FOLDER, where steps leave what they found");
    if (!options.share.empty() && !isShared)
        throw Error(Fault::Usage,
                    "--part is for --step sums and --step counts: the others are done "
                    "once");
    static_cast<void>(parsedShare(options.share));
    if (options.share.empty())
        refuseLaunchers();
    refuseOverwriting(options.output, options.files);
}

int run(const ProfileOptions& options, const Reading& reading)
{
    const ThreadLimit threads(static_cast<std::size_t>(options.jobs));
    if (!options.partsFolder.empty())
        return runSteps(options, reading);
    Complaints complaints;
    const ProfileFiles files(options, reading, complaints);
    spread::ProfileIndex index = files.index();
    ProfileWriter writer(options.output.path, {{"program", "calib " CALIBSCOPE_VERSION}});
    writeTensors(files, options.opening.dumpOptions().memoryBytes, reading, writer, index,
                 complaints);
    reading.ends();
    writer.finish(bytesOf(index));
    return complaints.exitCode();
}

/// The folder is made before the guards are up.
int runUnderGuard(const ProfileOptions& options)
{
    check(options);
    WritablePlaces places{.outputPath = options.output.path};
    if (!options.partsFolder.empty()) {
        std::error_code failure;
        std::filesystem::create_directories(options.partsFolder, failure);
        if (failure)
            throw Error(Fault::Output, options.partsFolder + ": the folder cannot be made (" +
                                           failure.message() + ")");
        places.folders.push_back(options.partsFolder);
    }
    return readUnderGuard(options.opening.limits, places,
                          [&](const Reading& reading) { return run(options, reading); });
}

}  // namespace

Command profileCommand()
{
    const auto options = std::make_shared<ProfileOptions>();
    Command command{.name = "profile",
                    .help = "What is kept of dumps without their values, in one file"};
    command.add({.names = "files",
                 .target = &options->files,
                 .help = "Dumps, the parts of one recording",
                 .type = "FILE",
                 .isRequired = true});
    command.add({.names = "--without",
                 .target = &options->without,
                 .help = "Leave a file out; may be repeated",
                 .type = "FILE",
                 .isOneByOne = true});
    options->tensors.declare(command);
    command.add({.names = "--histogram",
                 .target = &options->histograms,
                 .help = "Histograms to keep, instead of those that published recipes, presets and "
                         "calibrators need; may be repeated",
                 .type = "GROWTH[:bins=N][:domain=signed]",
                 .isOneByOne = true});
    command.add({.names = "--percentile",
                 .target = &options->percentiles,
                 .help = "Percentiles of |x| and x to keep, instead of those; may be repeated",
                 .type = "P,...",
                 .isOneByOne = true,
                 .delimiter = ',',
                 .complaint = [](const std::string& text) {
                     const std::optional<double> alpha = parseNumber(text);
                     return alpha && *alpha >= 0.0 && *alpha <= 100.0
                                ? std::string()
                                : text + " is not a number from 0 to 100";
                 }});
    options->layoutOverride.declare(command);
    options->opening.declare(command);
    command.add(jobsOption(options->jobs));
    options->output.declarePath(command);
    command.add({.names = "--parts",
                 .target = &options->partsFolder,
                 .help = "Folder for what is found on the way: a run that was stopped goes on",
                 .type = "FOLDER"});
    command.add({.names = "--step",
                 .target = &options->step,
                 .help = "One step alone; sums and counts may be shared among processes",
                 .type = "WORD",
                 .words = {"sums", "epochs", "counts", "finish"}});
    command.add({.names = "--part",
                 .target = &options->share,
                 .help = "Of a step's work the K-th of N shares",
                 .type = "K/N"});
    command.run = [options] { return runUnderGuard(*options); };
    return command;
}

}  // namespace calibscope::cli
