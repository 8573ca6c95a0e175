// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/choice_options.h"
#include "app/calib/command_output.h"
#include "app/calib/decision_input.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "app/calib/tensor_pass.h"
#include "core/base/error.h"
#include "core/collect/collect_profile.h"
#include "core/collect/held_values.h"
#include "core/deploy/decisions/decisions.h"
#include "core/deploy/decisions/session_decisions.h"
#include "core/dump/dump_file.h"
#include "core/recipes/decided_tensor.h"
#include "core/report/tables/samples_table.h"
#include "core/samples/study_samples.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct SamplesOptions
{
    std::vector<std::string> files;
    std::string session;
    ChoiceOptions choices;
    TensorOptions tensors;
    std::string role;
    std::string unit;
    std::optional<std::uint64_t> resamples;
    std::uint64_t seed = samples::StudyOptions{}.seed;
    std::uint64_t parts = 0;
    bool curve = false;
    bool order = false;
    bool exact = false;
    LayoutOverrideOptions layoutOverride;
    ChannelOption channel;
    OpeningOptions opening;
    std::uint64_t jobs = 0;  ///< threads; 0: as many as there are processors
    OutputOptions output;

    [[nodiscard]] samples::StudyOptions study() const
    {
        samples::StudyOptions made{.resamples = resamples,
                                   .withCurveBands = curve,
                                   .parts = parts,
                                   .seed = seed,
                                   .isExact = exact};
        if (!order)
            made.orders = 0;
        if (!unit.empty())
            made.unit =
                unit == sampleUnitText(SampleUnit::Batch) ? SampleUnit::Batch : SampleUnit::Sample;
        return made;
    }
};

/// A tensor in the layout that holds, the choices to be studied on it, and the studies.
struct Question
{
    TensorInfo tensor;
    std::vector<Choice> choices = {};
    std::vector<SampleStudy> studies = {};
};

/// Weights and the like: there is nothing to report of them.
bool hasOneUnit(const TensorInfo& tensor)
{
    return tensor.batchCount() < 2 && tensor.sampleCount() < 2;
}

/// What was accepted in a session.
std::vector<Question> questionsOfSession(const DumpFile& dump, const SamplesOptions& options,
                                         const std::vector<deploy::SessionDecisions>& session,
                                         const Reading& reading, Complaints& complaints)
{
    const deploy::Decisions decisions = deploy::decidedBy(
        dump, session, options.session,
        {.begins = [&](const TensorInfo& tensor) { reading.at(dump.identity().path, tensor.path); },
         .progress = reading.progress()});
    reportDoubts(decisions, complaints);
    std::vector<Question> questions;
    for (const DecidedTensor& decided : decisions.tensors)
        if (!hasOneUnit(decided.info))
            questions.push_back({.tensor = decided.info, .choices = {decided.outcome.choice}});
    return questions;
}

std::vector<Question> questionsOfChoices(const DumpFile& dump, const SamplesOptions& options)
{
    const Consumers consumers(dump.tensors());
    std::vector<Question> questions;
    const bool isAsked = !options.role.empty() || !options.tensors.patterns.empty();
    for (TensorInfo& tensor :
         selectedTensors(dump, options.tensors, options.layoutOverride, parseRole(options.role))) {
        if (!isAsked && (tensor.role == Role::Bias || (hasOneUnit(tensor) && tensor.isReadable())))
            continue;
        std::vector<Choice> choices =
            choicesFor(tensor, consumers, options.choices, options.channel);
        questions.push_back({.tensor = std::move(tensor), .choices = std::move(choices)});
    }
    return questions;
}

void answer(const DumpFile& dump, const SamplesOptions& options, const Reading& reading,
            Question& question)
{
    if (question.choices.empty())
        return;
    const samples::StudyOptions study = options.study();
    // Several passes follow, and decoding costs most of one.
    const ValueSource source = heldIfSmall(
        options.channel.applied(dump.source(question.tensor, options.layoutOverride.batches)),
        study.memoryBytes, reading.progress());
    const TensorProfile profile = collectProfile(source, reading.progress());
    question.studies =
        samples::studySamples(source, profile, question.choices, study, reading.progress());
}

void write(const DumpFile& dump, const SamplesOptions& options, Question& question,
           TableOutput& table)
{
    if (!question.studies.empty())
        warnOfDoubts(dump.identity().path, question.tensor);
    for (SampleStudy& study : question.studies) {
        study.file = dump.identity().path;
        study.channel = options.channel.channel;
        if (!options.curve) {
            table.row(sampleCells(study));
            continue;
        }
        for (const std::vector<Cell>& row : sampleCurveRows(study))
            table.row(row);
    }
}

void check(const SamplesOptions& options)
{
    if (options.session.empty())
        return;
    if (options.choices.isGiven() || options.layoutOverride.isGiven() ||
        !options.tensors.patterns.empty() || !options.role.empty())
        throw Error(Fault::Usage,
                    "--session already selects tensors and calibrators; remove recipes, presets, "
                    "calibrators, --tensor, --role, --layout and the like");
}

int runSamples(SamplesOptions& options, const Reading& reading)
{
    const ThreadLimit threads(static_cast<std::size_t>(options.jobs));
    std::vector<std::string> inputs = options.files;
    if (!options.session.empty())
        inputs.push_back(options.session);
    refuseOverwriting(options.output, inputs);
    check(options);
    std::vector<deploy::SessionDecisions> session;
    if (options.session.empty())
        options.choices.resolve();
    else
        session = deploy::readSessionDecisions(options.session);
    TableOutput table(options.output, options.curve ? sampleCurveColumns() : sampleColumns(),
                      options.curve
                          ? ""
                          : "tensor,channel,recipe,preset,calibrator,threshold,"
                            "threshold_low,threshold_high,converged_within_5,order_spread,"
                            "gap_db,flags,notes");
    Complaints complaints;
    for (const std::string& path : options.files) {
        complaints.attempt([&] {
            const auto dump = reading.open(path, options.opening.dumpOptions());
            options.layoutOverride.check(*dump);
            forEachTensor(
                {*dump, options.tensors, reading, complaints, samples::StudyOptions{}.memoryBytes},
                options.session.empty()
                    ? questionsOfChoices(*dump, options)
                    : questionsOfSession(*dump, options, session, reading, complaints),
                [&](Question& question) { answer(*dump, options, reading, question); },
                [&](Question& question) { write(*dump, options, question, table); });
        });
    }
    reading.ends();
    table.finish(options.curve ? "a learning curve needs two batches at least" : "");
    return complaints.exitCode();
}

}  // namespace

Command samplesCommand()
{
    constexpr std::uint64_t mostResamples = 10000;
    const auto options = std::make_shared<SamplesOptions>();
    Command command{.name = "samples",
                    .help =
                        "Whether the recorded samples are enough for each scale: its confidence "
                        "band, its dependence on their order, its error on held-out samples"};
    command.add(requiredFiles(options->files));
    command.add(sessionOption(options->session));
    options->choices.declare(command);
    options->tensors.declare(command);
    command.add(roleOption(
        options->role, "Only tensors of that role (default: those of several batches or samples)"));
    command.add({.names = "--curve",
                 .target = &options->curve,
                 .help = "Learning curves: a row for each number of first batches"});
    command.add({.names = "--order",
                 .target = &options->order,
                 .help = "Replay what depends on the order of the batches in 20 other orders"});
    command.add({.names = "--held-out",
                 .target = &options->parts,
                 .help = "Find scales from all but one of K parts, and errors on that part",
                 .type = "K",
                 .range = OptionRange{2, 1000}});
    command.add({.names = "--unit",
                 .target = &options->unit,
                 .help = "Unit that is drawn and held out (default: batches where there are "
                         "6, else samples)",
                 .type = "batch|sample",
                 .words = {"batch", "sample"}});
    command.add({.names = "--resamples",
                 .target = &options->resamples,
                 .help = "Resamples for each band (default: 200, 79 where each is a "
                         "search, 39 where that needs the values); 0: no bands",
                 .type = "R",
                 .range = OptionRange{0, mostResamples}});
    command.add({.names = "--seed",
                 .target = &options->seed,
                 .help = "Seed of draws and shuffles",
                 .type = "N",
                 .showsDefault = true});
    options->layoutOverride.declare(command);
    options->channel.declare(command);
    command.add({.names = "--exact",
                 .target = &options->exact,
                 .help = "SQNR of curves and orders from all values, not from the sketch"});
    options->opening.declare(command);
    command.add(jobsOption(options->jobs));
    options->output.declare(command);
    command.run = underGuard(options, runSamples);
    return command;
}

}  // namespace calibscope::cli
