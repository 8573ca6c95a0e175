// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/finished_tensors.h"
#include "app/calib/profile_files.h"
#include "app/calib/profile_ranks.h"
#include "app/calib/profile_steps.h"
#include "app/calib/profile_units.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/collect/at_once.h"
#include "core/collect/collect_joined.h"
#include "core/mpi/rank_server.h"
#include "core/mpi/relayed_ranks.h"
#include "core/spread/ranks.h"
#include "core/spread/stored_profile.h"
#include "core/tensor/element_type.h"

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

namespace calibscope::cli {

namespace {

PartValues valuesOf(const ProfileFiles& files, const spread::JoinedPart& part)
{
    PartValues values{
        .source = files.source(part), .file = files.place(part), .name = files.name(part)};
    for (const spread::JoinedPart& copy : part.copies)
        values.copies.push_back(valuesOf(files, copy));
    return values;
}

ProfileAnswer answerFor(const ProfileFiles& files, const spread::JoinedTensor& tensor,
                        std::uint64_t memoryBytes, const Reading& reading, ToldWork& told)
{
    if (!tensor.problem.empty())
        return {.problem = tensor.problem};
    try {
        std::vector<PartValues> parts;
        for (const spread::JoinedPart& part : tensor.parts)
            parts.push_back(valuesOf(files, part));
        reading.at(parts.front().name, tensor.info.path);
        const std::string place = parts.front().name + ":" + tensor.info.path;
        told.at(place);
        const auto needs = [&](const Extents& extents) {
            return files.needs().of(tensor.info, extents);
        };
        return {.bytes = bytesOf(collectJoined(tensor, std::move(parts), needs, memoryBytes,
                                               told.telling(reading.progress(), place)))};
    } catch (const Error& error) {
        if (error.fault() != Fault::Input)
            throw;
        return {.problem = error.what()};
    }
}

/// Finishes the tensors that are not finished yet, several at once.
void finishTensors(const ProfileFiles& files, std::uint64_t memoryBytes, const Reading& reading,
                   FinishedTensors& finished, const std::string& folder)
{
    const std::vector<spread::JoinedTensor>& tensors = files.tensors();
    const std::vector<std::size_t> before = [&] {
        const SignsOfLife signs(reading.progress());
        return finished.finished(tensors.size());
    }();
    const std::set<std::size_t> done(before.begin(), before.end());
    const std::set<std::string> crashed = FinishedTensors::crashedIn(folder);
    const std::uint64_t smallBytes = memoryBytes / 4 / threadsAtMost();
    const auto isLeft = [&](std::size_t tensor) {
        return !done.contains(tensor) && tensors[tensor].problem.empty();
    };
    const auto bytesAt = [&](std::size_t tensor) {
        const TensorInfo& info = tensors[tensor].info;
        return info.valueCount() *
               ElementType{.kind = info.elementType.value_or(ElementKind::Float32)}.bytes();
    };
    std::uint64_t bytes = 0;
    for (std::size_t tensor = 0; tensor < tensors.size(); ++tensor)
        bytes += isLeft(tensor) ? bytesAt(tensor) : 0;
    ToldWork told;
    told.begin("both passes", bytes);
    const auto work = [&](std::size_t tensor) {
        if (!isLeft(tensor))
            return;
        finished.put(tensor, crashed.contains(tensors[tensor].info.path)
                                 ? ProfileAnswer{.problem = crashSentence(files, tensor)}
                                 : answerFor(files, tensors[tensor], memoryBytes, reading, told));
        told.done(bytesAt(tensor));
    };
    inOrder(tensors.size(), {.work = work,
                             .deliver = [](std::size_t) {},
                             .isAlone =
                                 [&](std::size_t tensor) {
                                     return tensors[tensor].info.valueCount() * sizeof(float) >
                                            smallBytes;
                                 }});
}

/// Throws Error(Usage) where options contradict each other.
void check(const ProfileOptions& options, const mpi::Launched& launched)
{
    const bool isLast = options.step.empty() || options.step == "finish";
    const bool isShared = options.step == "sums" || options.step == "counts";
    if (isLast && options.output.path.empty())
        throw Error(Fault::Usage, "no output file; use -o P.h5");
    if (!options.step.empty() && options.partsFolder.empty())
        throw Error(Fault::Usage, "--step {} needs --parts FOLDER for the results of steps",
                    options.step);
    if (!options.share.empty() && !isShared)
        throw Error(Fault::Usage,
                    "--part is for --step sums and --step counts: the others are done "
                    "once");
    static_cast<void>(parsedShare(options.share));
    // Started several times by a launcher, each would do all of the work and write the same file.
    if (const std::string why = mpi::whyNotConnected(launched);
        options.share.empty() && !why.empty())
        throw Error(Fault::Usage, why);
    if (options.share.empty() && !options.partsFolder.empty() && launched.count > 1)
        throw Error(Fault::Usage, "--parts is for processes that are not connected; under a "
                                  "launcher leave it out, or give each its --part");
    if (!options.partsFolder.empty() && (options.isResumed || options.isFresh))
        throw Error(Fault::Usage, "a run with --parts always resumes from its folder; "
                                  "--resume and --fresh are for runs without it");
    refuseOverwriting(options.output, options.files);
}

/// Throws Error(Usage) where a run that was stopped would be lost.
void checkFinished(const ProfileOptions& options)
{
    if (!options.isResumed && !options.isFresh &&
        FinishedTensors::isWorthResuming(options.finishedFolder()))
        throw Error(Fault::Usage,
                    "{}: holds partial results of a stopped run; continue with --resume, or use "
                    "--fresh to start over",
                    options.finishedFolder());
}

/// The only rank, which tells how far it is.
class TellingRank final : public spread::LoneRank
{
public:
    void begin(const std::string& what, const std::vector<spread::HandedOut>& pieces) override
    {
        LoneRank::begin(what, pieces);
        m_pieces = pieces;
        m_piece.reset();
        m_done.assign(pieces.size(), false);
        std::uint64_t bytes = 0;
        for (const spread::HandedOut& piece : pieces)
            bytes += piece.bytes;
        m_told.begin(what, bytes);
    }
    [[nodiscard]] std::optional<std::size_t> next() override
    {
        const std::optional<std::size_t> piece = LoneRank::next();
        see(piece);
        return piece;
    }
    void takes(std::size_t piece) override { see(piece); }

private:
    void see(std::optional<std::size_t> piece)
    {
        if (m_piece && m_piece != piece && !m_done[*m_piece]) {
            m_done[*m_piece] = true;
            m_told.done(m_pieces[*m_piece].bytes);
        }
        m_told.tell();
        if (piece && m_piece != piece)
            m_told.at(m_pieces[*piece].name);
        m_piece = piece;
    }

    ToldWork m_told;
    std::vector<spread::HandedOut> m_pieces;
    std::vector<bool> m_done;
    std::optional<std::size_t> m_piece;
};

int runAlone(const ProfileOptions& options, const Reading& reading)
{
    TellingRank lone;
    if (options.isByUnits())
        return runRanks(options, reading, lone);
    Complaints complaints;
    const ProfileFiles files(options, reading, lone, complaints);
    FinishedTensors finished(options.finishedFolder(), files.key());
    finishTensors(files, options.opening.dumpOptions().memoryBytes, reading, finished,
                  options.finishedFolder());
    writeFinished(options, files, finished, reading, complaints);
    return complaints.exitCode();
}

/// Removes the folder, unless something else lies in it.
void removeFinished(const std::string& folder)
{
    std::error_code ignored;
    FinishedTensors::clear(folder);
    std::filesystem::remove(folder, ignored);
}

/// The same where nothing is in it that a later run could go on with.
void removeIfUseless(const std::string& folder)
{
    if (!FinishedTensors::isWorthResuming(folder))
        removeFinished(folder);
}

/// The folder of what is finished, made before the guards are up by one of the processes, which
/// removes it when nothing is in it any more.
class FinishedFolder
{
public:
    FinishedFolder(const ProfileOptions& options, bool isMine)
        : m_folder(options.finishedFolder()), m_isMine(isMine)
    {
        if (!m_isMine)
            return;
        checkFinished(options);
        if (options.isFresh)
            removeFinished(m_folder);
        removeIfUseless(m_folder);
        std::error_code failure;
        std::filesystem::create_directory(m_folder, failure);
        if (failure)
            throw Error(Fault::Output, "{}: cannot be written ({})", options.output.path,
                        failure.message());
    }
    FinishedFolder(const FinishedFolder&) = delete;
    FinishedFolder& operator=(const FinishedFolder&) = delete;
    ~FinishedFolder() { clean(); }

    void clean() const
    {
        if (m_isMine)
            removeIfUseless(m_folder);
    }
    [[nodiscard]] const std::string& path() const { return m_folder; }

private:
    std::string m_folder;
    bool m_isMine;
};

/// Keeps where a reader has crashed, if it worked on one tensor at a time.
void noteCrash(const ProfileOptions& options, const engine::ChildEnd& end)
{
    if (end.kind == engine::ChildEnd::Kind::Signalled && engine::isCrash(end.code))
        FinishedTensors::noteCrash(options.finishedFolder(), end.file, end.place);
}

/// Where the disk was full, which the child has said.
void tellHowToGoOn(const ProfileOptions& options, const engine::ChildEnd& end)
{
    if (end.kind == engine::ChildEnd::Kind::Exited && end.code == exitCode(Fault::Output) &&
        FinishedTensors::isWorthResuming(options.finishedFolder()))
        sayOnStderr("calib: finished work is in " + options.finishedFolder() +
                    "; free some space and continue with --resume");
}

int runHere(const ProfileOptions& options, const WritablePlaces& places)
{
    BesidesChild besides;
    besides.end = [&](const engine::ChildEnd& end, const std::function<int()>& failed) {
        if (options.jobs == 1 || options.isByUnits())
            noteCrash(options, end);
        tellHowToGoOn(options, end);
        return failed();
    };
    return readUnderGuard(options.opening.limits, places, besides, [&](const Reading& reading) {
        const ThreadLimit threads(static_cast<std::size_t>(options.jobs));
        return options.partsFolder.empty() ? runAlone(options, reading)
                                           : runSteps(options, reading);
    });
}

/// One of several ranks: MPI is this process's, the child reads.
int runAsRank(const ProfileOptions& options, const WritablePlaces& places,
              const FinishedFolder& folder)
{
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        throw Error(Fault::Input, "there can be no socket for the ranks; close other programs and "
                                  "try again");
    mpi::RankServer server(ends[0]);
    BesidesChild besides;
    besides.begin = [&] {
        ::close(ends[1]);
        server.start();
    };
    besides.inChild = [&] { ::close(ends[0]); };
    besides.end = [&](const engine::ChildEnd& end, const std::function<int()>& failed) {
        tellHowToGoOn(options, end);
        if (server.hasParted()) {
            // A launcher ends those that are still there when one has failed: rank 0 tells, last.
            constexpr std::chrono::milliseconds others(300);
            if (server.rank() != 0 || end.code == 0)
                return 0;
            std::this_thread::sleep_for(others);
            return end.code;
        }
        noteCrash(options, end);
        const int code = answeringFailures("calib", failed);
        folder.clean();
        server.abort(code == 0 ? exitCode(Fault::Input) : code);
    };
    return readUnderGuard(options.opening.limits, places, besides, [&](const Reading& reading) {
        const ThreadLimit threads(static_cast<std::size_t>(options.jobs));
        mpi::RelayedRanks ranks(ends[1], reading.progress());
        return runRanks(options, reading, ranks);
    });
}

/// Rank 0's look at what lies there concerns all: its failure has to reach them.
std::unique_ptr<FinishedFolder> finishedFolder(const ProfileOptions& options,
                                               const mpi::Launched& launched)
{
    try {
        return std::make_unique<FinishedFolder>(options, launched.rank == 0);
    } catch (const Error&) {
        if (launched.count > 1)
            mpi::endAll(answeringFailures("calib", []() -> int { throw; }));
        throw;
    }
}

int runUnderGuard(const ProfileOptions& options)
{
    const mpi::Launched launched = mpi::launched();
    check(options, launched);
    WritablePlaces places{.outputPath = options.output.path};
    if (!options.partsFolder.empty()) {
        std::error_code failure;
        std::filesystem::create_directories(options.partsFolder, failure);
        if (failure)
            throw Error(Fault::Output, "{}: the folder cannot be made ({})", options.partsFolder,
                        failure.message());
        places.folders.push_back(options.partsFolder);
        return runHere(options, places);
    }
    const std::unique_ptr<FinishedFolder> folder = finishedFolder(options, launched);
    places.folders.push_back(folder->path());
    return launched.count > 1 ? runAsRank(options, places, *folder) : runHere(options, places);
}

}  // namespace

Command profileCommand()
{
    const auto options = std::make_shared<ProfileOptions>();
    Command command{.name = "profile",
                    .help = "Statistics of dumps in one file, without their values"};
    command.add(requiredFiles(options->files, "Dumps, the parts of one recording"));
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
    command.add(
        percentileOption(options->percentiles,
                         "Percentiles of |x| and x to keep, instead of those; may be repeated"));
    options->layoutOverride.declare(command);
    options->opening.declare(command);
    command.add(jobsOption(options->jobs));
    options->output.declarePath(command);
    command.add({.names = "--resume",
                 .target = &options->isResumed,
                 .help = "Resume a stopped run from its partial results"});
    command.add({.names = "--fresh",
                 .target = &options->isFresh,
                 .help = "Start over, and discard a stopped run's results"});
    command.add({.names = "--unit",
                 .target = &options->unitMib,
                 .help = "Size of a unit of work for processes that share it",
                 .type = "MIB",
                 .showsDefault = true,
                 .range = OptionRange{1, 1 << 20}});
    command.add({.names = "--waves",
                 .target = &options->waves,
                 .help = "Work on the tensors in so many groups (default: as memory needs)",
                 .type = "N",
                 .range = OptionRange{1, 1 << 20}});
    command.add({.names = "--parts",
                 .target = &options->partsFolder,
                 .help = "Checkpoint folder; interrupted runs resume from it",
                 .type = "FOLDER"});
    command.add({.names = "--step",
                 .target = &options->step,
                 .help = "One step alone; sums and counts may be shared among processes",
                 .type = "WORD",
                 .words = {"sums", "epochs", "counts", "finish"}});
    command.add({.names = "--part",
                 .target = &options->share,
                 .help = "The K-th of N shares of a step's work",
                 .type = "K/N"});
    command.run = [options] { return runUnderGuard(*options); };
    return command;
}

}  // namespace calibscope::cli
