// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/safetensors_header.h"

#include "core/base/error.h"
#include "core/base/json_object.h"

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

/// Takes the entries out of a header while it is parsed: as values of JSON they would take several
/// times its memory.
class HeaderEvents : public nlohmann::json_sax<nlohmann::json>
{
public:
    bool null() override { return other(); }
    bool boolean(bool /*value*/) override { return other(); }
    bool number_integer(std::int64_t /*value*/) override { return other(); }
    bool number_float(double /*value*/, const std::string& /*text*/) override { return other(); }
    bool binary(binary_t& /*value*/) override { return other(); }
    bool number_unsigned(std::uint64_t value) override
    {
        if (m_depth != depthOfCounts || m_counts == nullptr || !*m_counts)
            return other();
        (*m_counts)->push_back(value);
        return true;
    }
    bool string(std::string& value) override
    {
        if (m_depth != depthOfMembers || !m_isInObject)
            return other();
        if (m_isMetadata)
            header.metadata[m_key] = value;
        else if (m_key == "dtype")
            header.entries.back().dtype = std::move(value);
        return true;
    }
    bool key(std::string& name) override
    {
        if (m_depth == depthOfNames) {
            m_isMetadata = name == "__metadata__";
            if (m_isMetadata)
                header.metadata.clear();
            else
                header.entries.push_back({.name = name});
        } else if (m_depth == depthOfMembers && m_isInObject) {
            m_key = name;
            if (m_isMetadata)
                header.metadata.erase(name);
            else
                forget(header.entries.back());
        }
        return true;
    }
    bool start_object(std::size_t /*members*/) override
    {
        isObject = isObject || m_depth == 0;
        if (m_depth == depthOfNames)
            m_isInObject = isObject;
        return other() && enter();
    }
    bool start_array(std::size_t /*members*/) override
    {
        if (m_depth == depthOfNames)
            m_isInObject = false;
        if (m_depth != depthOfMembers || m_counts == nullptr)
            return other() && enter();
        m_counts->emplace();
        return enter();
    }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }
    bool parse_error(std::size_t /*index*/, const std::string& /*token*/,
                     const nlohmann::json::exception& /*error*/) override
    {
        return false;
    }

    bool isObject = false;
    bool isTooDeep = false;
    SafetensorsHeader header;  ///< entries in the order of the text

private:
    static constexpr int depthOfNames = 1;
    static constexpr int depthOfMembers = 2;
    static constexpr int depthOfCounts = 3;

    /// A member may have come before.
    void forget(SafetensorsHeader::Entry& entry)
    {
        m_counts = m_key == "shape"          ? &entry.shape
                   : m_key == "data_offsets" ? &entry.offsets
                                             : nullptr;
        if (m_counts != nullptr)
            m_counts->reset();
        if (m_key == "dtype")
            entry.dtype.reset();
    }

    /// Any other value: where it is among counts, these are none.
    bool other()
    {
        if (m_depth == depthOfCounts && m_counts != nullptr)
            m_counts->reset();
        return true;
    }

    bool enter()
    {
        isTooDeep = ++m_depth > jsonDepthLimit;
        return !isTooDeep;
    }

    bool leave()
    {
        if (--m_depth == depthOfNames)
            m_counts = nullptr;
        return true;
    }

    int m_depth = 0;
    bool m_isMetadata = false;
    bool m_isInObject = false;  ///< the entry is one
    std::string m_key;          ///< of the member
    SafetensorsHeader::Counts* m_counts = nullptr;
};

}  // namespace

SafetensorsHeader parseSafetensorsHeader(std::string_view text, const std::string& path)
{
    HeaderEvents events;
    const bool isJson = nlohmann::json::sax_parse(text, &events);
    if (events.isTooDeep)
        throw Error(Fault::Input, "{}: is nested deeper than {}", path, jsonDepthLimit);
    if (!isJson)
        throw Error(Fault::Input, "{}: is not valid JSON; it may be damaged or truncated", path);
    if (!events.isObject)
        throw Error(Fault::Input, "{}: its header is damaged: it is not an object of JSON", path);
    std::vector<SafetensorsHeader::Entry>& entries = events.header.entries;
    if (!std::ranges::is_sorted(entries, {}, &SafetensorsHeader::Entry::name))
        std::ranges::stable_sort(entries, {}, &SafetensorsHeader::Entry::name);
    // The last of a name stays.
    const auto first =
        std::unique(entries.rbegin(), entries.rend(), [](const auto& later, const auto& earlier) {
            return later.name == earlier.name;
        });
    entries.erase(entries.begin(), first.base());
    return std::move(events.header);
}

}  // namespace calibscope
