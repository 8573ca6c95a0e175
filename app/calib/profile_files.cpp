#include "app/calib/profile_files.h"

#include "core/base/digest.h"
#include "core/base/error.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace calibscope::cli {

namespace {

std::optional<std::uint64_t> firstSampleOf(const DumpFile& dump)
{
    const auto told = dump.attributes().find("first_sample");
    if (told == dump.attributes().end())
        return std::nullopt;
    std::uint64_t number = 0;
    const std::string& text = told->second;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        throw Error(Fault::Input, dump.identity().path +
                                      ": its attribute first_sample is no whole number from 0 on");
    return number;
}

}  // namespace

ProfileFiles::ProfileFiles(const ProfileOptions& options, const Reading& reading,
                           Complaints& complaints)
    : m_options(options)
{
    openAll(reading, complaints);
    m_joined = spread::joinedFiles(m_listed);
    m_places.resize(m_listed.size());
    for (std::size_t place = 0; place < m_joined.order.size(); ++place)
        m_places[m_joined.order[place]] = place;
    m_needs = std::make_unique<WantedNeeds>(options.histograms, options.percentiles, tensors());
    if (m_joined.isByName)
        sayOnStderr("calib: note: the files are in the order of their names, since not all of them "
                    "tell their first_sample");
}

/// Adds the tensors of a dump that are meant. A file may lack some of them, or all.
bool ProfileFiles::list(const std::shared_ptr<const DumpFile>& dump, Complaints& complaints)
{
    spread::ListedFile file{
        .path = dump->identity().path, .firstSample = firstSampleOf(*dump), .tensors = {}};
    bool hasAny = true;
    std::vector<std::size_t> selected;
    try {
        selected = m_options.tensors.selected(*dump);
    } catch (const Error& error) {
        if (error.fault() != Fault::Input)
            throw;
        hasAny = false;
    }
    for (const std::size_t index : selected) {
        TensorInfo tensor = m_options.layoutOverride.applied(dump->tensors()[index]);
        if (tensor.isReadable())
            file.tensors.push_back(std::move(tensor));
        else if (m_options.tensors.asksFor(tensor))
            complaints.add(file.path + ":" + tensor.path + ": " + tensor.unreadable.sentence);
    }
    m_dumps.push_back(dump);
    m_listed.push_back(std::move(file));
    return hasAny;
}

void ProfileFiles::refuseTwice(const DumpFile& dump) const
{
    for (const auto& other : m_dumps)
        if (other->identity().stamp == dump.identity().stamp)
            throw Error(Fault::Usage, dump.identity().path + " is the same file as " +
                                          other->identity().path + "; name it once");
}

void ProfileFiles::openAll(const Reading& reading, Complaints& complaints)
{
    bool hasAny = false;
    for (const std::string& path : m_options.files) {
        if (std::ranges::count(m_options.without, path) > 0)
            continue;
        std::shared_ptr<const DumpFile> dump;
        try {
            dump = reading.open(path, m_options.opening.dumpOptions());
        } catch (const Error& error) {
            complaints.add(error.what());
            m_leftOut.emplace_back(error.what());
            continue;
        }
        if (dump->isProfile())
            throw Error(Fault::Usage, path + " is a profile itself; calib merge puts profiles "
                                             "together");
        refuseTwice(*dump);
        hasAny = list(dump, complaints) || hasAny;
    }
    if (m_dumps.empty())
        throw Error(Fault::Input, "none of the files could be opened");
    if (!hasAny)
        static_cast<void>(m_options.tensors.selected(*m_dumps.front()));  // says what is wrong
}

spread::ProfileIndex ProfileFiles::index() const
{
    spread::ProfileIndex index;
    for (const std::size_t file : m_joined.order) {
        FileIdentity identity = m_dumps[file]->identity();
        identity.headerSha256 = headerSha256(identity.path);
        index.files.push_back(
            {.identity = std::move(identity), .firstSample = m_listed[file].firstSample});
    }
    index.warnings = m_leftOut;
    return index;
}

ValueSource ProfileFiles::source(const spread::JoinedPart& part) const
{
    return m_dumps[part.file]->source(m_listed[part.file].tensors[part.tensor],
                                      m_options.layoutOverride.batches);
}

}  // namespace calibscope::cli
