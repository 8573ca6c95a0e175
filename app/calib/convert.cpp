// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/calib/command_output.h"
#include "app/calib/dump_options.h"
#include "app/calib/subcommands.h"
#include "core/base/number_text.h"
#include "core/dump/batch_first.h"
#include "core/dump/dump_file.h"
#include "core/dump/dump_writer.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::cli {

namespace {

struct ConvertOptions
{
    std::vector<std::string> files;
    TensorOptions tensors;
    LayoutOverrideOptions layout;
    OpeningOptions opening;
    OutputOptions output;
};

using Dumps = std::vector<std::shared_ptr<const DumpFile>>;

std::optional<std::int64_t> wholeNumberIn(const std::string& text)
{
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
}

/// Attributes of the root that all files have alike.
Attributes rootOf(const Dumps& dumps)
{
    Attributes root;
    for (const char* name : {"model", "source", "model_sha256", "opset", "first_sample"}) {
        const auto first = dumps.front()->attributes().find(name);
        if (first == dumps.front()->attributes().end())
            continue;
        const bool isAlike = std::ranges::all_of(dumps, [&](const auto& dump) {
            const auto found = dump->attributes().find(name);
            return found != dump->attributes().end() && found->second == first->second;
        });
        if (!isAlike)
            continue;
        if (const auto number = wholeNumberIn(first->second))
            root[name] = *number;
        else
            root[name] = first->second;
    }
    return root;
}

/// Attributes of a tensor of which the file holds some channels alone.
Attributes shardOf(const DumpFile& dump, const TensorInfo& tensor)
{
    Attributes shard;
    if (const auto first = dump.firstChannelOf(tensor))
        shard["first_channel"] = static_cast<std::int64_t>(*first);
    if (const auto all = dump.allChannelsOf(tensor))
        shard["channels"] = static_cast<std::int64_t>(*all);
    return shard;
}

/// The files' tensors on their way into a dump.
class Conversion
{
public:
    Conversion(const ConvertOptions& options, const Reading& reading, DumpWriter& writer)
        : m_options(options), m_reading(reading), m_writer(writer)
    {}

    void add(const DumpFile& dump)
    {
        const std::string& file = dump.identity().path;
        for (const std::size_t index : m_options.tensors.selected(dump)) {
            const TensorInfo tensor = m_options.layout.applied(dump.tensors()[index]);
            if (tensor.isBeside || (!tensor.isReadable() && !m_options.tensors.asksFor(tensor)))
                continue;
            warnOfDoubts(file, tensor);
            m_reading.at(file, tensor.path);
            attempt(file, tensor, [&] {
                TensorInfo all = tensor;
                all.mask.reset();
                return m_writer.add(dump.source(all), shardOf(dump, tensor), m_reading.progress(),
                                    batchFirst(dump.mask(tensor), tensor));
            });
        }
        for (std::size_t feed = 0; m_options.tensors.patterns.empty() && feed < dump.feeds().size();
             ++feed) {
            const TensorInfo& info = dump.feeds()[feed];
            m_reading.at(file, info.path);
            attempt(file, info,
                    [&] { return m_writer.addFeed(dump.feedSource(feed), m_reading.progress()); });
        }
    }

    [[nodiscard]] std::size_t written() const { return m_written; }
    [[nodiscard]] int exitCode() const { return m_complaints.exitCode(); }

private:
    template <typename Write>
    void attempt(const std::string& file, const TensorInfo& tensor, const Write& write)
    {
        m_complaints.attempt([&] {
            const std::uint64_t changed = write();
            ++m_written;
            if (changed > 0)
                warn(file + ":" + tensor.path + ": " + countText(changed, "value", "values") +
                     (changed == 1 ? " is" : " are") + " stored as float32 reads them");
        });
    }

    const ConvertOptions& m_options;
    const Reading& m_reading;
    DumpWriter& m_writer;
    Complaints m_complaints;
    std::size_t m_written = 0;
};

int runConvert(const ConvertOptions& options, const Reading& reading)
{
    if (options.output.path.empty())
        throw Error(Fault::Usage, "no output file; use -o FILE");
    refuseOverwriting(options.output, options.files);
    Dumps dumps;
    for (const std::string& file : options.files) {
        dumps.push_back(reading.open(file, options.opening.dumpOptions()));
        if (dumps.back()->isProfile())
            throw Error(Fault::Usage, "{} is a profile: it holds no values", file);
        options.layout.check(*dumps.back());
    }
    DumpWriter writer(options.output.path, rootOf(dumps));
    Conversion conversion(options, reading, writer);
    for (const auto& dump : dumps)
        conversion.add(*dump);
    if (conversion.written() == 0)
        throw Error(Fault::Input, "nothing could be converted; there is no {}",
                    options.output.path);
    reading.ends();
    writer.finish();
    sayOnStderr("calib: " + options.output.path + ": " +
                countText(conversion.written(), "tensor", "tensors"));
    return conversion.exitCode();
}

}  // namespace

Command convertCommand()
{
    const auto options = std::make_shared<ConvertOptions>();
    Command command{.name = "convert",
                    .help = "A calibration dump of recordings or models in any format"};
    command.add(requiredFiles(options->files, "Files and folders of recorded tensors, or models"));
    options->tensors.declare(command);
    options->layout.declare(command);
    options->opening.declare(command);
    options->output.declarePath(command);
    command.run = underGuard(options, runConvert);
    return command;
}

}  // namespace calibscope::cli
