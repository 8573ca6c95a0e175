// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calibscope/application.h"
#include "app/calibscope/subcommands.h"
#include "core/base/error.h"
#include "core/base/location.h"
#include "core/base/number_text.h"
#include "core/base/progress.h"
#include "core/base/utf8.h"
#include "ui/document/session_document.h"
#include "ui/queries/addresses.h"
#include "ui/queries/engine_router.h"
#include "ui/report/report_writer.h"
#include "ui/report/session_report.h"
#include "ui/window/preferences.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>

#include <QHashSeed>
#include <QSocketNotifier>
#include <fcntl.h>
#include <unistd.h>

namespace calibscope::window {

namespace {

/// While it lives, SIGINT, SIGTERM and SIGHUP call a function from the event loop instead of ending
/// the process. One at a time. A second signal ends the process at once.
class StopSignals
{
public:
    explicit StopSignals(const std::function<void()>& stop);
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    /// Exit code of a program that a signal ended, as shells expect it: 128 and the signal's number.
    [[nodiscard]] int exitCode() const;

private:
    std::unique_ptr<QSocketNotifier> m_notifier;
    int m_signal = 0;
};

constexpr std::array<int, 3> stopSignals = {SIGINT, SIGTERM, SIGHUP};
std::array<int, 2> signalPipe = {-1, -1};

/// All that may be done in a handler: a byte into a pipe, which the event loop reads.
void handle(int signal)
{
    const auto byte = static_cast<unsigned char>(signal);
    [[maybe_unused]] const ssize_t written = ::write(signalPipe[1], &byte, 1);
}

StopSignals::StopSignals(const std::function<void()>& stop)
{
    if (::pipe2(signalPipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return;  // signals then end the process as they always do
    m_notifier = std::make_unique<QSocketNotifier>(signalPipe[0], QSocketNotifier::Read);
    QObject::connect(m_notifier.get(), &QSocketNotifier::activated, m_notifier.get(), [this, stop] {
        unsigned char byte = 0;
        if (::read(signalPipe[0], &byte, 1) != 1)
            return;
        m_signal = byte;
        stop();
    });
    struct sigaction action = {};
    action.sa_handler = handle;
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    for (const int signal : stopSignals)
        ::sigaction(signal, &action, nullptr);
}

StopSignals::~StopSignals()
{
    for (const int signal : stopSignals)
        (void)std::signal(signal, SIG_DFL);
    m_notifier.reset();
    for (int& end : signalPipe)
        ::close(end);
    signalPipe = {-1, -1};
}

int StopSignals::exitCode() const
{
    constexpr int signalled = 128;
    return signalled + m_signal;
}

/// The exit code of a report in which a gate failed.
constexpr int gateFailed = 1;

/// "all", or "worst:N".
std::optional<std::size_t> parsePictures(const std::string& word)
{
    if (word == "all")
        return std::nullopt;
    constexpr std::string_view worst = "worst:";
    if (word.starts_with(worst)) {
        std::size_t count = 0;
        const auto [end, error] =
            std::from_chars(word.data() + worst.size(), word.data() + word.size(), count);
        if (error == std::errc{} && end == word.data() + word.size())
            return count;
    }
    throw Error(Fault::Usage, "--pictures {}: give all, or worst:N with a whole number N", word);
}

/// A line that is written over and over, on a terminal only.
class ProgressLine
{
public:
    void show(std::size_t done, std::size_t total, const std::string& tensor)
    {
        if (::isatty(STDERR_FILENO) == 0)
            return;
        if (total == 0)
            std::fprintf(stderr, "\r\033[Kopening %s", shownLine(tensor).c_str());
        else
            std::fprintf(stderr, "\r\033[K%zu of %zu  %s", done + 1, total,
                         shownLine(tensor).c_str());
        m_isShown = true;
    }
    void clear()
    {
        if (m_isShown)
            std::fputs("\r\033[K", stderr);
        m_isShown = false;
    }

private:
    bool m_isShown = false;
};

void complainOfTensors(const report::Report& report)
{
    CountedSentences problems("calibscope");
    for (const report::TensorLine& line : report.lines) {
        const std::string place = report.sources[line.source].identity.path + ": " + line.info.name;
        for (const std::string& doubt : line.info.doubts)
            sayOnStderr("calibscope: warning: " + place + ": " + doubt);
        if (!line.problem.empty())
            problems.say(place + ": " + line.problem);
        for (const report::ResultLine& result : line.results)
            if (!result.problem.empty())
                problems.say(place + ": " + result.label + ": " + result.problem);
    }
}

void complainOf(const report::Report& report)
{
    {
        CountedSentences problems("calibscope");
        for (const report::Source& source : report.sources)
            if (!source.problem.empty())
                problems.say(source.problem);
    }
    complainOfTensors(report);
    CountedSentences offences("calibscope");
    for (const report::Offence& offence : report.offences) {
        const report::TensorLine& line = report.lines[offence.line];
        offences.say(report.sources[line.source].identity.path + ": " + line.info.name + ": " +
                     offence.label + ": " + offence.metric + " is " + numberText(offence.value) +
                     ", which fails " + offence.gate);
    }
}

/// An address as it is printed. Throws Error(Usage) for one that is none.
std::string printedAddress(const std::string& file)
{
    if (!isAddress(file))
        return file;
    const TensorAddress named = parseTensorAddress(file);
    if (!named.tensor.empty())
        throw Error(Fault::Usage, "{}: a report is of files; name its tensors with --tensor", file);
    if (isSessionFile(QString::fromStdString(named.location.path)))
        throw Error(
            Fault::Usage,
            "{}: a session is read on this machine; copy it here, its dumps stay where they are",
            file);
    return named.location.address();
}

/// A session in place of dumps: its dumps, and the decisions on them.
void readSessionFile(ReportOptions& options)
{
    const bool hasSession = std::ranges::any_of(options.files, [](const std::string& file) {
        return isSessionFile(QString::fromStdString(file));
    });
    if (!hasSession)
        return;
    if (options.files.size() > 1)
        throw Error(Fault::Usage,
                    "a session file can't be combined with other files; it names its dumps");
    const SessionDocument session = readSession(QString::fromStdString(options.files.front()));
    options.files.clear();
    addSession(options, session);
    options.decisions = [session](std::span<const protocol::DumpOpened> dumps) {
        return decisionRecipes(session, dumps);
    };
}

/// The command line as it was given.
struct ReportWords
{
    ReportOptions options;
    std::string pictures = "all";
    std::string formats;
    std::string contents;
    std::string theme = "light";
    bool noFooter = false;
    int mostSilentSeconds = defaultSilentSeconds;

    /// Throws Error(Usage).
    [[nodiscard]] ReportOptions read() const
    {
        ReportOptions read = options;
        read.worstPictures = parsePictures(pictures);
        if (!formats.empty())
            read.formats = report::parseFormats(formats);
        if (!contents.empty())
            read.contents = report::parseContents(contents);
        read.isDark = theme == "dark";
        read.hasFooters = !noFooter;
        std::ranges::transform(read.files, read.files.begin(), printedAddress);
        readSessionFile(read);
        return read;
    }
};

void declareChoices(Command& command, ReportOptions& options)
{
    command.add({.names = "files",
                 .target = &options.files,
                 .help = "Dumps, also ssh://host/path on another machine; or a session file",
                 .type = "FILE",
                 .isRequired = true});
    command.add({.names = "-o,--output",
                 .target = &options.folder,
                 .help = "Folder to create",
                 .type = "DIR",
                 .isRequired = true});
    const auto addList = [&command](const char* names, std::vector<std::string>& values,
                                    const char* help, const char* type) {
        command.add(
            {.names = names, .target = &values, .help = help, .type = type, .isOneByOne = true});
    };
    addList("--recipe", options.recipes, "Recipe by id, published or your own; may be repeated",
            "ID");
    addList("--preset", options.presets, "Preset, with settings that override its own",
            "ID[:PARAMETER=VALUE,...]");
    addList("--calibrator", options.calibrators, "Calibrator with settings of your own",
            "ID[:PARAMETER=VALUE,...]");
    addList("--tensor", options.tensors, "Only this tensor, or a glob; may be repeated",
            "NAME-OR-GLOB");
    command.add(
        {.names = "--filter",
         .target = &options.filter,
         .help =
             "Only tensors that match a filter of the list, for example \"role:weight sqnr<30\"",
         .type = "FILTER"});
}

void declareLook(Command& command, ReportWords& words)
{
    command.add({.names = "--format",
                 .target = &words.formats,
                 .help = "Any of html, csv, json, png, svg, pdf (default: html,csv,json,png)",
                 .type = "WORD,..."});
    command.add(
        {.names = "--content",
         .target = &words.contents,
         .help =
             "Any of summary, ranking, tensors, channels, statements, environment (default: all)",
         .type = "WORD,..."});
    constexpr int mostScale = 4;
    command.add({.names = "--scale",
                 .target = &words.options.pictureScale,
                 .help = "Pixels of a PNG for each of the picture's 1000",
                 .showsDefault = true,
                 .range = OptionRange{1, mostScale}});
    command.add({.names = "--theme",
                 .target = &words.theme,
                 .help = "Theme of pages and pictures",
                 .showsDefault = true,
                 .words = {"light", "dark"}});
    command.add({.names = "--no-footer",
                 .target = &words.noFooter,
                 .help = "Pictures without the lines that name their sources"});
}

/// Who names a machine on the command line wants it connected to. One that only a session names
/// has to be known from the window, as are the commands that start calib there.
KnownMachines machinesOf(const ReportOptions& options, const std::vector<std::string>& named)
{
    if (std::ranges::none_of(options.files, isAddress))
        return {};
    KnownMachines known = Preferences(Preferences::Keeping::Remember).machines();
    for (const std::string& file : named)
        if (isAddress(file))
            known.allowed += machineOf(QString::fromStdString(file));
    return known;
}

/// `named`: the files as they stand on the command line.
int writeReport(const ReportOptions& options, const std::vector<std::string>& named,
                int mostSilentSeconds)
{
    // Qt writes a PDF's fonts in the order of a hash: with one seed two runs give the same bytes.
    QHashSeed::setDeterministicGlobalSeed();
    const auto application = makeApplication(Display::None);
    const std::unique_ptr<Engine> engine =
        makeRouter(machinesOf(options, named), mostSilentSeconds);
    EngineCalls calls(*engine);
    const StopSignals signals([&calls] { calls.stop(); });
    ProgressLine line;
    ReportWriter writer(calls, options,
                        [&line](std::size_t done, std::size_t total, const std::string& tensor) {
                            line.show(done, total, tensor);
                        });
    report::Report report;
    try {
        report = writer.write();
    } catch (const Cancelled&) {
        line.clear();
        sayOnStderr("calibscope: cancelled; no files were written");
        return signals.exitCode();
    } catch (...) {
        line.clear();
        throw;
    }
    line.clear();
    complainOf(report);
    if (!report.isComplete())
        return exitCode(Fault::Input);
    return report.offences.empty() ? 0 : gateFailed;
}

}  // namespace

Command reportCommand()
{
    const auto words = std::make_shared<ReportWords>();
    Command command{.name = "report",
                    .help = "Write HTML, tables, pictures and PDF of dumps into a folder"};
    declareChoices(command, words->options);
    declareLook(command, *words);
    ReportOptions& options = words->options;
    command.add({.names = "--pictures",
                 .target = &words->pictures,
                 .help = "Tensors that get pictures: all, or the N with the lowest SQNR; of more "
                         "than 500 tensors the 500 lowest",
                 .type = "all|worst:N",
                 .showsDefault = true});
    command.add({.names = "--fail-if",
                 .target = &options.gates,
                 .help = "Exit with 1 if a metric is below or above a limit, for example "
                         "\"sqnr<20\"; may be repeated",
                 .type = "METRIC<NUMBER",
                 .isOneByOne = true});
    command.add({.names = "--allow-external",
                 .target = &options.allowExternal,
                 .help = "Also read other files that a dump points to"});
    command.add(silenceOption(words->mostSilentSeconds));
    command.add({.names = "--overwrite",
                 .target = &options.overwrite,
                 .help = "Replace an existing report"});
    command.run = [words] {
        return writeReport(words->read(), words->options.files, words->mostSilentSeconds);
    };
    return command;
}

}  // namespace calibscope::window
