// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/codec/values.h"
#include "core/protocol/messages.h"

namespace calibscope::protocol {

template <>
inline constexpr auto fieldsOf<HelloRequest> = std::tuple{Field{"version", &HelloRequest::version}};

template <>
inline constexpr auto fieldsOf<OfferedParameter> =
    std::tuple{Field{"id", &OfferedParameter::id}, Field{"fallback", &OfferedParameter::fallback},
               Field{"least", &OfferedParameter::least},
               Field{"greatest", &OfferedParameter::greatest},
               Field{"words", &OfferedParameter::words}};

template <>
inline constexpr auto fieldsOf<OfferedCalibrator> =
    std::tuple{Field{"id", &OfferedCalibrator::id}, Field{"title", &OfferedCalibrator::title},
               Field{"parameters", &OfferedCalibrator::parameters}};

template <>
inline constexpr auto fieldsOf<Hello> =
    std::tuple{Field{"program", &Hello::program},   Field{"version", &Hello::version},
               Field{"protocol", &Hello::protocol}, Field{"host", &Hello::host},
               Field{"user", &Hello::user},         Field{"home", &Hello::home},
               Field{"cores", &Hello::cores},       Field{"memoryBytes", &Hello::memoryBytes},
               Field{"methods", &Hello::methods},   Field{"calibrators", &Hello::calibrators}};

template <>
inline constexpr auto fieldsOf<FolderRequest> =
    std::tuple{FileField{"path", &FolderRequest::path}, Field{"first", &FolderRequest::first}};

template <>
constexpr int enumCount<EntryKind> = 3;

template <>
inline constexpr auto fieldsOf<FolderEntry> =
    std::tuple{Field{"name", &FolderEntry::name}, Field{"kind", &FolderEntry::kind},
               Field{"bytes", &FolderEntry::bytes},
               Field{"modifiedSeconds", &FolderEntry::modifiedSeconds}};

template <>
inline constexpr auto fieldsOf<FolderPage> =
    std::tuple{Field{"path", &FolderPage::path}, Field{"entries", &FolderPage::entries},
               Field{"total", &FolderPage::total}};

inline void check(const FolderPage& page, const Where& where)
{
    if (page.entries.size() > folderPageEntries || page.entries.size() > page.total)
        where.fail("has more entries than it tells of");
    for (const FolderEntry& entry : page.entries)
        if (entry.name.empty() || entry.name.find('/') != std::string::npos)
            where.fail("has an entry that is in another folder");
}

template <>
inline constexpr auto fieldsOf<IdentifyRequest> =
    std::tuple{FileField{"path", &IdentifyRequest::path}};

template <>
inline constexpr auto fieldsOf<IdentifiedFile> =
    std::tuple{Field{"identity", &IdentifiedFile::identity}};

template <>
inline constexpr auto fieldsOf<DigestRequest> = std::tuple{FileField{"path", &DigestRequest::path}};

template <>
inline constexpr auto fieldsOf<DigestedFile> =
    std::tuple{Field{"identity", &DigestedFile::identity}};

template <>
inline constexpr bool hasDefaults<HelloRequest> = true;
template <>
inline constexpr bool hasDefaults<Hello> = true;
template <>
inline constexpr bool hasDefaults<OfferedParameter> = true;
template <>
inline constexpr bool hasDefaults<OfferedCalibrator> = true;
template <>
inline constexpr bool hasDefaults<FolderRequest> = true;

}  // namespace calibscope::protocol
