// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/choice_options.h"
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/error.h"
#include "core/dump/dump_file.h"
#include "core/recipes/make_choice.h"
#include "core/report/python/python_snippet.h"
#include "core/report/tables/output.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace calibscope::cli {

namespace {

struct PythonOptions
{
    std::string file;
    std::string tensor;
    std::string what = "scale";
    std::string format;
    std::uint64_t block = 0;
    ChannelOption channel;
    ChoiceOptions choices;
    HistogramOptions histogram;
    LayoutOverrideOptions layoutOverride;
    OpeningOptions opening;
    OutputOptions output;  // its path alone is asked for
};

bool isOfChoice(SnippetSubject subject)
{
    return subject == SnippetSubject::Scale || subject == SnippetSubject::Metrics ||
           subject == SnippetSubject::Curve;
}

TensorPart partOf(const TensorInfo& tensor, const PythonOptions& options)
{
    TensorPart part{.channel = options.channel.channel};
    if (options.layoutOverride.batches > 0)
        part.batches = options.layoutOverride.batches;
    if (part.channel && *part.channel >= tensor.channelCount())
        throw Error(Fault::Usage, "{}: has {} channels, --channel counts from 0", tensor.name,
                    tensor.channelCount());
    return part;
}

Choice choiceFor(const TensorInfo& tensor, const DumpFile& dump, const PythonOptions& options)
{
    const std::vector<Choice> choices =
        options.choices.choicesFor(tensor, Consumers(dump.tensors()));
    if (choices.size() != 1)
        throw Error(Fault::Usage,
                    "{}: {} calibrations apply; give exactly one --recipe, --preset or "
                    "--calibrator that applies to it",
                    tensor.name, choices.size());
    return options.channel.channel
               ? forOneChannel(choices.front(), *options.channel.channel, tensor.channelCount())
               : choices.front();
}

SnippetRequest requestFor(const DumpFile& dump, const PythonOptions& options)
{
    options.layoutOverride.check(dump);
    const TensorInfo tensor =
        options.layoutOverride.applied(dump.tensors()[dump.indexOf(options.tensor)]);
    if (!tensor.isReadable())
        throw Error(Fault::Input, "{}:{}: {}", options.file, tensor.path,
                    tensor.unreadable.sentence);
    warnOfDoubts(options.file, tensor);
    SnippetRequest request{.subject = parseSnippetSubject(options.what),
                           .file = options.file,
                           .tensor = tensor,
                           .part = partOf(tensor, options),
                           .histogram = options.histogram.spec()};
    if (request.subject == SnippetSubject::Block) {
        if (options.format.empty())
            throw Error(Fault::Usage, "--what block needs --number-format");
        request.format = parseBlockFormat(options.format);
        request.block = options.block;
    }
    if (isOfChoice(request.subject))
        request.choice = choiceFor(tensor, dump, options);
    for (const RangeSource& source : request.choice.rangeFrom)
        request.rangeTensors.push_back(
            options.layoutOverride.applied(dump.tensors()[dump.indexOf(source.path)]));
    return request;
}

int runPython(PythonOptions& options, const Reading& reading)
{
    refuseOverwriting(options.output, {options.file});
    static_cast<void>(parseSnippetSubject(options.what));
    options.choices.resolve();
    const auto dump = reading.open(options.file, options.opening.dumpOptions());
    const PythonSnippet snippet = pythonSnippet(requestFor(*dump, options));
    if (!snippet.problem.empty())
        throw Error(Fault::Usage, snippet.problem);
    Output output(options.output.path);
    output.write(snippet.text);
    reading.ends();
    output.finish();
    return 0;
}

}  // namespace

Command pythonCommand()
{
    const auto options = std::make_shared<PythonOptions>();
    Command command{
        .name = "python",
        .help = "A program for h5py and NumPy that recomputes the numbers of calib and calibscope"};
    command.add(requiredFile(options->file));
    command.add(requiredTensor(options->tensor));
    command.add({.names = "--what",
                 .target = &options->what,
                 .help = "statistics, histogram, scale, metrics, curve or block",
                 .type = "WORD",
                 .showsDefault = true});
    command.add({.names = "--number-format",
                 .target = &options->format,
                 .help = "Of a block: the number format it is under",
                 .type = "ID[:PARAMETER=VALUE,...]"});
    command.add({.names = "--block",
                 .target = &options->block,
                 .help = "Which block, counted from 0",
                 .showsDefault = true});
    options->choices.declare(command);
    options->histogram.declare(command);
    options->layoutOverride.declare(command);
    options->channel.declare(command);
    options->opening.declare(command);
    options->output.declarePath(command);
    command.run = underGuard(options, runPython);
    return command;
}

}  // namespace calibscope::cli
