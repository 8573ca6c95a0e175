// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/deploy/check/check_feeds.h"

#include "core/base/error.h"
#include "core/base/join.h"
#include "core/base/number_text.h"
#include "core/base/whole_file.h"
#include "core/deploy/check/npy.h"
#include "core/deploy/names/graph_names.h"
#include "core/model/tensor_values.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace calibscope::deploy {

namespace {

namespace fs = std::filesystem;

/// "/a/b:0" -> "a.b:0"
std::string dotted(std::string_view name)
{
    std::string text(name);
    std::ranges::replace(text, '/', '.');
    text.erase(0, std::min(text.find_first_not_of('.'), text.size()));
    return text;
}

/// TensorProto.DataType, as far as arrays hold them.
std::optional<NpyType> typeOf(int dataType)
{
    static const std::map<int, NpyType> types{
        {1, NpyType::Float32},  {2, NpyType::Uint8},   {3, NpyType::Int8},
        {4, NpyType::Uint16},   {5, NpyType::Int16},   {6, NpyType::Int32},
        {7, NpyType::Int64},    {9, NpyType::Bool},    {10, NpyType::Float16},
        {11, NpyType::Float64}, {12, NpyType::Uint32}, {13, NpyType::Uint64}};
    const auto found = types.find(dataType);
    return found == types.end() ? std::nullopt : std::optional(found->second);
}

NpyType typeOf(const model::GraphPort& input)
{
    const std::optional<NpyType> type = typeOf(input.elementType);
    if (!type)
        throw Error(Fault::Input, "input \"{}\" of the model is of a type that can't be fed ({})",
                    input.name, input.elementType);
    return *type;
}

void writeArray(const std::string& folder, std::size_t batch, std::size_t place,
                std::span<const float> values, std::vector<std::uint64_t> shape,
                const model::GraphPort& input)
{
    const fs::path path =
        fs::path(folder) / "feeds" / (std::to_string(batch) + "-" + std::to_string(place) + ".npy");
    try {
        writeWholeFile(path.string(), npyText(npyArray(values, std::move(shape), typeOf(input))),
                       {.isSynced = false});
    } catch (const Error& error) {
        throw Error(Fault::Input, "input \"{}\" of the model: {}", input.name, error.what());
    }
}

/// Whether an array of that shape may be fed.
void checkShape(const model::GraphPort& input, const std::vector<std::uint64_t>& shape,
                const std::string& where)
{
    bool fits = !input.hasShape || input.shape.size() == shape.size();
    for (std::size_t axis = 0; fits && input.hasShape && axis < shape.size(); ++axis)
        fits = !input.shape[axis] || *input.shape[axis] == shape[axis];
    if (fits)
        return;
    std::string wanted;
    for (const std::optional<std::uint64_t>& length : input.shape)
        wanted += (wanted.empty() ? "" : " x ") + (length ? std::to_string(*length) : "?");
    throw Error(Fault::Input, "{}: has shape {}, but input \"{}\" of the model takes {}", where,
                shapeText(shape), input.name, wanted);
}

/// What /feeds holds: batches in their order, each with its values by input, no axis in front.
using RecordedFeeds = std::vector<std::map<std::string, ValueSource>>;

constexpr std::string_view feedsFolder = "/feeds/";

/// A path in that folder: the batch, by number and name, and the input.
struct FeedPath
{
    std::pair<std::uint64_t, std::string> batch;
    std::string input;
};

std::optional<FeedPath> feedPath(const std::string& path)
{
    const std::size_t end = path.find('/', feedsFolder.size());
    if (!path.starts_with(feedsFolder) || end == std::string::npos)
        return std::nullopt;
    const std::string batch = path.substr(feedsFolder.size(), end - feedsFolder.size());
    std::uint64_t number = 0;
    std::from_chars(batch.data(), batch.data() + batch.size(), number);
    return FeedPath{.batch = {number, batch}, .input = dotted(path.substr(end + 1))};
}

/// The dump's feeds, and, in a file that does not say what it is, tensors in that folder.
std::vector<ValueSource> sourcesOfFeeds(const DumpFile& dump)
{
    std::vector<ValueSource> sources;
    for (std::size_t feed = 0; feed < dump.feeds().size(); ++feed)
        sources.push_back(dump.feedSource(feed));
    for (const TensorInfo& tensor : dump.tensors())
        if (tensor.path.starts_with(feedsFolder)) {
            TensorInfo info = tensor;
            info.mask.reset();
            info.batchAxis.reset();
            info.channelAxis.reset();
            info.batchSize = 0;
            sources.push_back(dump.source(info));
        }
    return sources;
}

/// Inputs that were not recorded, by name, each with a number for all of its elements.
using Given = std::map<std::string, double>;

/// Throws Error(Usage) for a name that no input has.
void checkGiven(const Given& given, const std::vector<model::GraphPort>& inputs)
{
    for (const auto& [name, value] : given)
        if (std::ranges::find(inputs, name, &model::GraphPort::name) == inputs.end())
            throw Error(Fault::Usage, "--feed {}: the model has no such input", name);
}

void writeGiven(const std::vector<CheckBatch>& batches, const std::vector<model::GraphPort>& inputs,
                const Given& given, const std::string& folder)
{
    for (std::size_t port = 0; port < inputs.size(); ++port) {
        const auto found = given.find(inputs[port].name);
        for (std::size_t batch = 0; found != given.end() && batch < batches.size(); ++batch) {
            std::vector<std::uint64_t> shape;
            for (const std::optional<std::uint64_t>& length : inputs[port].shape)
                shape.push_back(length.value_or(batches[batch].count));
            const std::uint64_t count = model::elementCount(shape).value_or(0);
            constexpr std::uint64_t most = mostNpyBytes / sizeof(double);
            if (count > most)
                throw Error(Fault::Input, "input \"{}\" of the model has {} elements",
                            inputs[port].name, numberText(count));
            writeArray(folder, batch, port,
                       std::vector<float>(count, static_cast<float>(found->second)),
                       std::move(shape), inputs[port]);
        }
    }
}

RecordedFeeds recordedFeeds(const DumpFile& dump)
{
    std::map<std::pair<std::uint64_t, std::string>, std::map<std::string, ValueSource>> batches;
    for (ValueSource& source : sourcesOfFeeds(dump))
        if (const std::optional<FeedPath> feed = feedPath(source.info.path))
            batches[feed->batch][feed->input] = std::move(source);
    RecordedFeeds feeds;
    for (auto& [batch, inputs] : batches)
        feeds.push_back(std::move(inputs));
    return feeds;
}

std::vector<CheckBatch> writeRecordedFeeds(const DumpFile& dump, const RecordedFeeds& feeds,
                                           const std::vector<model::GraphPort>& inputs,
                                           const Given& given, std::uint64_t samples,
                                           const std::string& folder, const Progress& progress)
{
    std::vector<CheckBatch> batches;
    std::uint64_t before = 0;
    for (std::size_t batch = 0; batch < feeds.size() && (samples == 0 || before < samples);
         ++batch) {
        std::uint64_t count = 0;
        for (std::size_t place = 0; place < inputs.size(); ++place) {
            if (given.contains(inputs[place].name))
                continue;
            const auto found = feeds[batch].find(dotted(inputs[place].name));
            if (found == feeds[batch].end())
                throw Error(Fault::Input, "{}: batch {} of /feeds lacks input \"{}\" of the model",
                            dump.identity().path, batch + 1, inputs[place].name);
            const ValueSource& source = found->second;
            std::vector<std::uint64_t> shape = source.info.shape;
            // A dump has a single value as a list of one.
            if (inputs[place].hasShape && inputs[place].shape.empty() && shape.size() == 1 &&
                shape.front() == 1)
                shape.clear();
            checkShape(inputs[place], shape, dump.identity().path + ":" + source.info.path);
            writeArray(folder, batch, place, readAll(source, progress), shape, inputs[place]);
            if (count == 0 && !shape.empty())
                count = shape.front();
        }
        batches.push_back({.first = before, .count = std::max<std::uint64_t>(count, 1)});
        before += batches.back().count;
    }
    return batches;
}

/// An input of the model, by its index, and the activation of the dump that it was.
struct RecordedInput
{
    std::size_t port = 0;
    std::size_t index = 0;
};

/// The inputs that are not given.
std::vector<RecordedInput> recordedInputs(const std::vector<model::GraphPort>& inputs,
                                          const Given& given, const RecordedAs& recordedAs)
{
    std::vector<RecordedInput> found;
    for (std::size_t port = 0; port < inputs.size(); ++port)
        if (const auto index = recordedAs(inputs[port].name);
            index && !given.contains(inputs[port].name))
            found.push_back({.port = port, .index = *index});
    if (found.empty())
        throw Error(Fault::Usage, "one of the model's inputs at least has to be recorded (--feed)");
    return found;
}

/// Throws Error(Input) for inputs that are neither recorded nor given.
void requireAll(const DumpFile& dump, const std::vector<model::GraphPort>& inputs,
                const Given& given, const RecordedAs& recordedAs)
{
    std::vector<std::string> missing =
        unrecordedInputs(dump.tensors(), dump.feeds(), inputs, recordedAs);
    std::erase_if(missing, [&](const std::string& name) { return given.contains(name); });
    for (std::string& name : missing)
        name = '"' + name + '"';
    if (!missing.empty())
        throw Error(Fault::Input,
                    "{}: the model's {} {} not recorded, in /feeds or as an activation, so it "
                    "can't be run; give a number for all elements (--feed NAME=NUMBER), or record "
                    "/feeds",
                    dump.identity().path, missing.size() == 1 ? "input" : "inputs",
                    joinedText(missing, ", ") + (missing.size() == 1 ? " was" : " were"));
}

/// Samples of a batch: as many as the model takes, or were recorded together.
std::uint64_t batchLength(const TensorInfo& tensor, const model::GraphPort& input)
{
    if (!input.shape.empty() && input.shape.front())
        return *input.shape.front();
    return tensor.batchSize > 0 ? tensor.batchSize : tensor.sampleCount();
}

/// Cuts a recorded input into batches.
class FeedWriter
{
public:
    FeedWriter(const std::vector<CheckBatch>& batches, const TensorInfo& tensor,
               const model::GraphPort& input, std::string folder, std::size_t place)
        : m_batches(batches),
          m_tensor(tensor),
          m_input(input),
          m_folder(std::move(folder)),
          m_place(place),
          m_perSample(tensor.valuesPerSample())
    {}

    void take(const Block& block)
    {
        for (std::span<const float> values = block.values;
             !values.empty() && m_batch < m_batches.size();) {
            const std::uint64_t wanted = m_batches[m_batch].count * m_perSample - m_held.size();
            const std::span<const float> part =
                values.first(std::min<std::size_t>(wanted, values.size()));
            m_held.insert(m_held.end(), part.begin(), part.end());
            values = values.subspan(part.size());
            if (part.size() == wanted)
                write();
        }
    }

private:
    void write()
    {
        std::vector<std::uint64_t> shape = m_tensor.shape;
        shape.front() = m_batches[m_batch].count;
        writeArray(m_folder, m_batch, m_place, m_held, std::move(shape), m_input);
        m_held.clear();
        ++m_batch;
    }

    const std::vector<CheckBatch>& m_batches;
    const TensorInfo& m_tensor;
    const model::GraphPort& m_input;
    std::string m_folder;
    std::size_t m_place;
    std::uint64_t m_perSample;
    std::size_t m_batch = 0;
    std::vector<float> m_held;
};

std::vector<CheckBatch> cutBatches(std::uint64_t recorded, std::uint64_t length,
                                   bool needsWholeBatches, std::uint64_t samples)
{
    std::vector<CheckBatch> batches;
    for (std::uint64_t first = 0; first < recorded && (samples == 0 || first < samples);
         first += length) {
        const std::uint64_t count = std::min(length, recorded - first);
        if (needsWholeBatches && count < length)
            break;
        batches.push_back({.first = first, .count = count});
    }
    return batches;
}

}  // namespace

RecordedAs recordedIn(std::span<const TensorInfo> tensors, const model::ModelFile& model,
                      const NameMap& map)
{
    std::map<std::string, std::size_t> recorded;  // by the graph's name
    const std::vector<GraphName> names = graphNames(tensors, model.tensors(), {.map = map});
    for (std::size_t index = 0; index < names.size(); ++index)
        if (names[index].tensor && model.tensors()[*names[index].tensor].scope.empty())
            recorded.emplace(model.tensors()[*names[index].tensor].name, index);
    return [recorded = std::move(recorded)](const std::string& graphName) {
        const auto found = recorded.find(graphName);
        return found == recorded.end() ? std::nullopt : std::optional(found->second);
    };
}

std::vector<std::string> unrecordedInputs(std::span<const TensorInfo> tensors,
                                          std::span<const TensorInfo> feeds,
                                          const std::vector<model::GraphPort>& inputs,
                                          const RecordedAs& recordedAs)
{
    std::set<std::string> fed;
    for (const std::span<const TensorInfo> some : {feeds, tensors})
        for (const TensorInfo& tensor : some)
            if (const std::optional<FeedPath> feed = feedPath(tensor.path))
                fed.insert(feed->input);
    const auto isRecorded = [&](const std::string& name) {
        return fed.empty() ? recordedAs(name).has_value() : fed.contains(dotted(name));
    };
    std::vector<std::string> missing;
    for (const model::GraphPort& input : inputs)
        if (!isRecorded(input.name))
            missing.push_back(input.name);
    return missing;
}

std::vector<CheckBatch> writeFeeds(const DumpFile& dump,
                                   const std::vector<model::GraphPort>& inputs,
                                   const RecordedAs& recordedAs, const CheckOptions& options,
                                   const std::string& folder, const Progress& progress)
{
    checkGiven(options.feeds, inputs);
    requireAll(dump, inputs, options.feeds, recordedAs);
    const RecordedFeeds feeds = recordedFeeds(dump);
    std::vector<CheckBatch> batches;
    if (!feeds.empty())
        batches = writeRecordedFeeds(dump, feeds, inputs, options.feeds, options.samples, folder,
                                     progress);
    else
        for (const auto& [port, index] : recordedInputs(inputs, options.feeds, recordedAs)) {
            const TensorInfo& tensor = dump.tensors()[index];
            const std::string where = dump.identity().path + ":" + tensor.path;
            if (!tensor.isReadable())
                throw Error(Fault::Input, "{}: {}", where, tensor.unreadable.sentence);
            if (tensor.shape.empty() || tensor.batchAxis.value_or(0) != 0)
                throw Error(
                    Fault::Input,
                    "{}: its samples do not lie on axis 0, so it can't be fed; record with /feeds",
                    where);
            if (batches.empty()) {
                const bool isFixed = !inputs[port].shape.empty() && inputs[port].shape.front();
                batches = cutBatches(tensor.shape.front(), batchLength(tensor, inputs[port]),
                                     isFixed, options.samples);
            } else if (tensor.shape.front() < batches.back().first + batches.back().count) {
                throw Error(Fault::Input, "{}: has fewer samples than the model's first input",
                            where);
            }
            if (batches.empty())
                throw Error(Fault::Input, "{}: has fewer samples than the model takes at once",
                            where);
            std::vector<std::uint64_t> shape = tensor.shape;
            shape.front() = batches.front().count;
            checkShape(inputs[port], shape, where);
            FeedWriter writer(batches, tensor, inputs[port], folder, port);
            TensorInfo all = tensor;
            all.mask.reset();  // the model takes them all
            dump.source(all).visit([&](const Block& block) { writer.take(block); }, progress);
        }
    writeGiven(batches, inputs, options.feeds, folder);
    return batches;
}

}  // namespace calibscope::deploy
