#include "core/dump/dump_file.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/dump/batch_first.h"
#include "core/dump/doubt_names.h"
#include "core/dump/file_check.h"
#include "core/dump/hdf5/open_file.h"
#include "core/dump/hdf5/read_values.h"
#include "core/dump/layout.h"
#include "core/dump/model_dump.h"
#include "core/dump/part_chain.h"
#include "core/dump/profile_dump.h"
#include "core/dump/sample_source.h"
#include "core/stats/extents.h"
#include "core/tensor/tensor_selection.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace calibscope {

namespace {

std::map<std::string, std::string> attributeTexts(const Attributes& attributes)
{
    std::map<std::string, std::string> texts;
    for (const auto& [name, value] : attributes) {
        if (const auto* text = std::get_if<std::string>(&value))
            texts[name] = *text;
        else if (const auto* whole = std::get_if<std::int64_t>(&value))
            texts[name] = std::to_string(*whole);
        else if (const auto* number = std::get_if<double>(&value))
            texts[name] = numberText(*number);
    }
    return texts;
}

std::string listOf(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// The layout override cut to its first batches.
TensorInfo cutToBatches(TensorInfo info, std::uint64_t firstBatches)
{
    if (firstBatches > 0 && firstBatches < info.batchCount())
        info.shape.at(static_cast<std::size_t>(info.batchAxis.value_or(0))) =
            firstBatches * info.batchSize;
    return info;
}

/// Throws where what is kept of each batch and channel would not fit into memory.
void requireRoomFor(const TensorInfo& info, std::uint64_t memoryBytes, const std::string& file)
{
    const std::uint64_t most = memoryBytes / sizeof(Extents);
    const std::uint64_t batches = info.batchCount();
    const std::uint64_t channels = info.channelCount();
    if (batches > most || channels > most - batches)
        throw Error(Fault::Input, file + ":" + info.path + ": it has " + std::to_string(batches) +
                                      " batches and " + std::to_string(channels) +
                                      " channels, more than the " + std::to_string(most) +
                                      " that fit the memory budget of " +
                                      std::to_string(memoryBytes) +
                                      " bytes; give another --batch-size or --channel-axis");
}

using Parts = std::vector<std::shared_ptr<const DatasetFacts>>;

/// The datasets, which the facts hold no longer: of many there is no room for two lists.
Parts takeDatasets(FileFacts& contents)
{
    Parts taken;
    taken.reserve(contents.datasets.size());
    for (DatasetFacts& facts : contents.datasets)
        taken.push_back(std::make_shared<const DatasetFacts>(std::move(facts)));
    std::vector<DatasetFacts>().swap(contents.datasets);
    return taken;
}

constexpr std::string_view feedsFolder = "/feeds/";
constexpr const char* firstChannelName = "first_channel";
constexpr const char* allChannelsName = "channels";

bool liesInFeeds(const std::string& path)
{
    return path.starts_with(feedsFolder);
}

/// What the rule of our own layout says was fed to the model.
bool isFeed(const TensorInfo& info)
{
    return info.isBeside && info.layoutRule == "calibration-dump" && liesInFeeds(info.path);
}

/// A dataset that has a link in /feeds and one elsewhere is the one elsewhere, which was fed, too:
/// whichever of both the walk met first.
void preferOtherThanFeeds(std::vector<DatasetFacts>& datasets)
{
    for (DatasetFacts& dataset : datasets)
        if (liesInFeeds(dataset.path))
            if (const auto other = std::ranges::find_if_not(dataset.otherPaths, liesInFeeds);
                other != dataset.otherPaths.end())
                std::swap(dataset.path, *other);
}

/// The feeds that a tensor of the dump is as well.
std::vector<TensorInfo> feedsBesides(const TensorInfo& tensor)
{
    std::vector<TensorInfo> feeds;
    for (const std::string& path : tensor.otherPaths)
        if (liesInFeeds(path) && tensor.layoutRule == "calibration-dump") {
            TensorInfo feed = tensor;
            feed.name = path.substr(feedsFolder.size());
            feed.path = path;
            feed.role = Role::Unknown;
            feed.batchAxis.reset();
            feed.batchSize = 0;
            feed.channelAxis.reset();
            feed.isBeside = true;
            feeds.push_back(std::move(feed));
        }
    return feeds;
}

ValueSource sourceOfParts(const std::shared_ptr<const hdf5::OpenFile>& file, const Parts& parts,
                          TensorInfo info, const SampleRange& range = {})
{
    auto visit = [file, info, parts, range](const BlockVisitor& visitor, const Progress& progress) {
        if (!info.isReadable())
            throw Error(Fault::Input,
                        file->identity.path + ":" + info.path + ": " + info.unreadable.sentence);
        if (parts.size() > 1)
            visitParts(*file, parts, info, range, visitor, progress);
        else
            hdf5::visitValues(*file, *parts.front(), info, range, visitor, progress);
    };
    return {.info = batchFirst(std::move(info)), .visit = std::move(visit)};
}

}  // namespace

struct DumpFile::Impl
{
    std::shared_ptr<const hdf5::OpenFile> file;
    std::vector<Parts> parts;  ///< in the order of the tensors; one each, unless they are merged
    std::vector<TensorInfo> tensors;
    std::vector<Parts> feedParts;  ///< in the order of the feeds
    std::vector<TensorInfo> feeds;
    std::map<std::string, std::string> attributes;
    std::vector<std::string> warnings;
    std::vector<RuleUse> rules;
    std::unordered_map<std::string, std::size_t> places;  ///< of the tensors, by their paths
    std::uint64_t memoryBytes = 0;
    std::shared_ptr<const ModelDump> model;      ///< in place of a file of HDF5
    std::shared_ptr<const ProfileDump> profile;  ///< in place of values

    void setModel(std::shared_ptr<const ModelDump> opened)
    {
        model = std::move(opened);
        tensors = model->tensors();
        attributes = model->attributes();
        warnings = model->warnings();
        rules = model->rules();
        setPlaces();
    }

    void setProfile(std::shared_ptr<const ProfileDump> opened)
    {
        profile = std::move(opened);
        tensors = profile->index().tensors;
        attributes = profile->file().attributes();
        attributes.insert(profile->index().attributes.begin(), profile->index().attributes.end());
        warnings = profile->index().warnings;
        rules = usesOf(tensors);
        setPlaces();
    }

    void setPlaces()
    {
        for (std::size_t tensor = 0; tensor < tensors.size(); ++tensor)
            places.emplace(tensors[tensor].path, tensor);
    }

    [[nodiscard]] std::optional<std::size_t> find(const std::string& tensor) const
    {
        const auto found = places.find(tensor);
        return found == places.end() ? std::nullopt : std::optional{found->second};
    }
    /// `path`: of the file, for sentences.
    [[nodiscard]] ValueSource source(const std::string& path, const TensorInfo& understood,
                                     std::uint64_t firstBatches, const SampleRange& range) const;
    [[nodiscard]] std::uint64_t samplesPerCut(const TensorInfo& understood) const;
    [[nodiscard]] std::optional<std::uint64_t> firstSample(const std::string& path) const;
    /// What the tensor's datasets say alike by an attribute that is a whole number from 0 on.
    [[nodiscard]] std::optional<std::uint64_t>
    toldNumber(const std::string& path, const TensorInfo& tensor, const char* name) const;
    [[nodiscard]] bool holdsShards() const;

    static const Impl& of(const DumpFile& dump) { return *dump.m_impl; }
    friend const auto& implOf(const DumpFile& dump) { return of(dump); }
};

std::optional<std::uint64_t> DumpFile::Impl::firstSample(const std::string& path) const
{
    const std::string name = "first_sample";
    std::optional<std::uint64_t> first;
    const auto refuse = [&](const std::string& place, const std::string& what) {
        throw Error(Fault::Input, place + ": its attribute " + name + " " + what);
    };
    if (const auto told = attributes.find(name); told != attributes.end()) {
        const std::string& text = told->second;
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || end != text.data() + text.size())
            refuse(path, "is no whole number from 0 on");
        first = number;
    }
    for (const Parts& ofTensor : parts) {
        const auto told = ofTensor.front()->attributes.find(name);
        if (told == ofTensor.front()->attributes.end())
            continue;
        const std::string place = path + ":" + ofTensor.front()->path;
        const auto* const number = std::get_if<std::int64_t>(&told->second);
        if (number == nullptr || *number < 0)
            refuse(place, "is no whole number from 0 on");
        if (first && *first != static_cast<std::uint64_t>(*number))
            refuse(place, "is " + std::to_string(*number) + ", but " + std::to_string(*first) +
                              " elsewhere in the file; a file holds one stretch of samples");
        first = static_cast<std::uint64_t>(*number);
    }
    return first;
}

ValueSource DumpFile::Impl::source(const std::string& path, const TensorInfo& understood,
                                   std::uint64_t firstBatches, const SampleRange& range) const
{
    const std::optional<std::size_t> tensor = find(understood.path);
    if (!tensor || tensors[*tensor].shape != understood.shape)
        throw std::invalid_argument("a source needs a tensor of this dump, in its recorded shape");
    if (profile)
        return ProfileDump::source(profile, *tensor, understood, firstBatches);
    TensorInfo info = cutToBatches(understood, firstBatches);
    if (info.isReadable())
        requireRoomFor(info, memoryBytes, path);
    if (model)
        return ModelDump::source(model, *tensor, std::move(info));
    return sourceOfParts(file, parts[*tensor], std::move(info), range);
}

std::uint64_t DumpFile::Impl::samplesPerCut(const TensorInfo& understood) const
{
    const std::optional<std::size_t> tensor = find(understood.path);
    if (!tensor || model || profile || !understood.isReadable())
        return 0;
    const Parts& own = parts[*tensor];
    return own.size() > 1 ? calibscope::samplesPerCut(own, understood)
                          : hdf5::samplesPerCut(*own.front(), understood);
}

std::optional<std::uint64_t> DumpFile::Impl::toldNumber(const std::string& path,
                                                        const TensorInfo& tensor,
                                                        const char* name) const
{
    const std::optional<std::size_t> place = find(tensor.path);
    if (!place || *place >= parts.size())
        return std::nullopt;
    const auto refuse = [&](const std::string& what) {
        throw Error(Fault::Input,
                    path + ":" + tensor.path + ": its attribute " + name + " " + what);
    };
    std::optional<std::uint64_t> first;
    for (const std::shared_ptr<const DatasetFacts>& part : parts[*place]) {
        const auto told = part->attributes.find(name);
        if (told == part->attributes.end())
            continue;
        const auto* const number = std::get_if<std::int64_t>(&told->second);
        if (number == nullptr || *number < 0)
            refuse("is no whole number from 0 on");
        if (first && *first != static_cast<std::uint64_t>(*number))
            refuse("is " + std::to_string(*first) + " in one of its datasets and " +
                   std::to_string(*number) + " in another");
        first = static_cast<std::uint64_t>(*number);
    }
    return first;
}

bool DumpFile::Impl::holdsShards() const
{
    return std::ranges::any_of(parts, [](const Parts& ofTensor) {
        return std::ranges::any_of(ofTensor, [](const std::shared_ptr<const DatasetFacts>& part) {
            return part->attributes.contains(firstChannelName);
        });
    });
}

std::shared_ptr<const DumpFile> DumpFile::open(const std::string& path, const DumpOptions& options,
                                               const Progress& progress)
{
    auto impl = std::make_unique<Impl>();
    if (isModelFile(path)) {
        impl->setModel(ModelDump::open(path, options.memoryBytes, options.allowExternal));
        impl->memoryBytes = options.memoryBytes;
        return std::shared_ptr<const DumpFile>(new DumpFile(std::move(impl)));
    }
    impl->file = hdf5::openFile(
        path, {.otherFiles = options.allowExternal, .growing = options.allowGrowing}, progress);
    impl->memoryBytes = options.memoryBytes;
    FileFacts contents = hdf5::readContents(*impl->file, options.memoryBytes, progress);
    impl->attributes = attributeTexts(contents.attributes);
    preferOtherThanFeeds(contents.datasets);
    impl->warnings = std::move(contents.warnings);
    if (contents.datasets.empty())
        impl->warnings.emplace_back("/: the file holds no datasets");
    std::vector<Understood> tensors = understand(contents, options.mergeNumbered);
    std::ranges::move(doubtNames(tensors), std::back_inserter(impl->warnings));
    const Parts datasets = takeDatasets(contents);
    impl->parts.reserve(tensors.size());
    impl->tensors.reserve(tensors.size());
    for (Understood& tensor : tensors) {
        const bool isFed = isFeed(tensor.info);
        Parts& parts = (isFed ? impl->feedParts : impl->parts).emplace_back();
        for (const std::size_t dataset : tensor.datasets) {
            const DatasetFacts& facts = *parts.emplace_back(datasets[dataset]);
            for (const std::string& warning : facts.warnings)
                impl->warnings.push_back(facts.path + ": " + warning);
        }
        for (const std::string& warning : tensor.warnings) {
            impl->warnings.push_back(tensor.info.path + ": " + warning);
            tensor.info.doubts.push_back(warning);
        }
        std::vector<TensorInfo> also = feedsBesides(tensor.info);
        const Parts same = parts;
        if (!isFed)
            impl->places.emplace(tensor.info.path, impl->tensors.size());
        (isFed ? impl->feeds : impl->tensors).push_back(std::move(tensor.info));
        std::ranges::move(also, std::back_inserter(impl->feeds));
        impl->feedParts.resize(impl->feeds.size(), same);
    }
    impl->rules = usesOf(impl->tensors);
    const bool isProfile = ProfileDump::isOne(impl->attributes);
    std::shared_ptr<const DumpFile> dump(new DumpFile(std::move(impl)));
    if (!isProfile)
        return dump;
    auto ofProfile = std::make_unique<Impl>();
    ofProfile->setProfile(ProfileDump::open(std::move(dump)));
    return std::shared_ptr<const DumpFile>(new DumpFile(std::move(ofProfile)));
}

DumpFile::DumpFile(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
DumpFile::~DumpFile() = default;

std::vector<std::string> DumpFile::dataFiles() const
{
    return m_impl->model ? m_impl->model->dataFiles() : std::vector<std::string>();
}

bool DumpFile::isProfile() const
{
    return m_impl->profile != nullptr;
}

std::shared_ptr<const ProfileDump> DumpFile::profileDump() const
{
    return m_impl->profile;
}

const FileIdentity& DumpFile::identity() const
{
    if (m_impl->profile)
        return m_impl->profile->file().identity();
    return m_impl->model ? m_impl->model->identity() : m_impl->file->identity;
}

const std::vector<TensorInfo>& DumpFile::tensors() const
{
    return m_impl->tensors;
}

const std::vector<TensorInfo>& DumpFile::feeds() const
{
    return m_impl->feeds;
}

const std::map<std::string, std::string>& DumpFile::attributes() const
{
    return m_impl->attributes;
}

const std::vector<std::string>& DumpFile::warnings() const
{
    return m_impl->warnings;
}

const std::vector<RuleUse>& DumpFile::rules() const
{
    return m_impl->rules;
}

std::size_t DumpFile::indexOf(const std::string& nameOrPath) const
{
    std::vector<std::string> paths;
    std::size_t index = 0;
    for (std::size_t tensor = 0; tensor < tensors().size(); ++tensor) {
        const TensorInfo& info = tensors()[tensor];
        if (info.path == nameOrPath || std::ranges::count(info.parts, nameOrPath) > 0)
            return tensor;
        if (info.name == nameOrPath) {
            paths.push_back(info.path);
            index = tensor;
        }
    }
    if (paths.size() == 1)
        return index;
    if (paths.empty())
        if (const auto found = std::ranges::find_if(
                tensors(), [&](const TensorInfo& info) { return isPathOf(info, nameOrPath); });
            found != tensors().end())
            return static_cast<std::size_t>(found - tensors().begin());
    if (paths.empty())
        if (const std::vector<std::size_t> also = alsoCalled(tensors(), nameOrPath);
            also.size() == 1)
            return also.front();
    const std::string where = identity().path + ": ";
    if (paths.size() > 1)
        throw Error(Fault::Usage, where + nameOrPath + " is the name of " +
                                      std::to_string(paths.size()) +
                                      " tensors; give the path, one of " + listOf(paths));
    const std::string nearest = namesLike(tensors(), nameOrPath);
    throw Error(Fault::Input,
                where + "there is no tensor " + nameOrPath + "; " +
                    (nearest.empty() ? "calib info lists them" : "similar names: " + nearest));
}

std::optional<std::size_t> DumpFile::find(const std::string& path) const
{
    return m_impl->find(path);
}

ValueSource DumpFile::source(std::size_t tensor) const
{
    return source(tensors().at(tensor));
}

ValueSource DumpFile::feedSource(std::size_t feed) const
{
    const TensorInfo& info = feeds().at(feed);
    return sourceOfParts(m_impl->file, m_impl->feedParts.at(feed), info);
}

ValueBoxes DumpFile::boxes(const TensorInfo& understood, bool isFirstLook) const
{
    const std::optional<std::size_t> tensor = find(understood.path);
    if (!tensor || tensors()[*tensor].shape != understood.shape)
        throw std::invalid_argument("boxes need a tensor of this dump, in its recorded shape");
    if (!understood.isReadable())
        throw Error(Fault::Input, identity().path + ":" + understood.path + ": " +
                                      understood.unreadable.sentence);
    if (m_impl->model)
        return ModelDump::boxes(m_impl->model, *tensor, understood);
    const auto digests = isFirstLook ? hdf5::Digests::AsFarAsKnown : hdf5::Digests::Required;
    const Parts& parts = m_impl->parts[*tensor];
    return parts.size() > 1 ? boxesOfParts(m_impl->file, parts, understood, digests)
                            : hdf5::valueBoxes(m_impl->file, parts.front(), understood, digests);
}

ValueSource DumpFile::source(const TensorInfo& understood, std::uint64_t firstBatches) const
{
    return m_impl->source(identity().path, understood, firstBatches, {});
}

// What sample_source.h declares: few need it, so DumpFile's own header does not.
const auto& implOf(const DumpFile& dump);

ValueSource sourceOfSamples(const DumpFile& dump, const TensorInfo& understood,
                            std::uint64_t firstBatches, const SampleRange& range)
{
    return implOf(dump).source(dump.identity().path, understood, firstBatches, range);
}

std::uint64_t samplesPerCut(const DumpFile& dump, const TensorInfo& understood)
{
    return implOf(dump).samplesPerCut(understood);
}

std::optional<std::uint64_t> firstChannelOf(const DumpFile& dump, const TensorInfo& tensor)
{
    return implOf(dump).toldNumber(dump.identity().path, tensor, firstChannelName);
}

std::optional<std::uint64_t> allChannelsOf(const DumpFile& dump, const TensorInfo& tensor)
{
    return implOf(dump).toldNumber(dump.identity().path, tensor, allChannelsName);
}

bool holdsShards(const DumpFile& dump)
{
    return implOf(dump).holdsShards();
}

std::optional<std::uint64_t> firstSampleOf(const DumpFile& dump)
{
    return implOf(dump).firstSample(dump.identity().path);
}

}  // namespace calibscope
