// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/dump/structure/plain_dataset.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace calibscope::structure {

/// A group of which not all members can be listed: those that can are known by name and address,
/// and the library must not be asked for any by its path.
struct PartialGroup
{
    struct Member
    {
        std::string name;
        std::uint64_t object = 0;
    };
    std::string reason;           ///< as a sentence
    std::vector<Member> members;  ///< ascending by name
};

/// Findings of a walk over a file's metadata, before the HDF5 library sees any of it. Objects are
/// known by the addresses of their headers, as the library tells them of hard links.
class Findings
{
public:
    /// Why an object must not be opened, as a sentence; empty for one that is sound. One that the
    /// walk did not reach is not.
    [[nodiscard]] std::string reasonAgainst(std::uint64_t object) const;
    /// Attributes of an object that must not be read, with the reason as a sentence; under an empty
    /// name: none of them.
    [[nodiscard]] const std::map<std::string, std::string>&
    attributesLeftOut(std::uint64_t object) const;

    /// Doubts about an object that may be opened, as sentences: damage that no rule of the
    /// format forbids, as the earliest one has no checksums. Of a group it concerns its members.
    [[nodiscard]] const std::vector<std::string>& doubtsOf(std::uint64_t object) const;
    /// Of whichever object; empty: there is none.
    [[nodiscard]] std::string firstDoubt() const;

    /// The group, if only a part of its members is known; else nullptr.
    [[nodiscard]] const PartialGroup* partialGroup(std::uint64_t object) const;

    /// Whether all objects can be opened: else no path may be followed by whoever cannot tell which
    /// objects it leads through.
    [[nodiscard]] bool areAllObjectsSound() const
    {
        return m_objects.empty() && m_partialGroups.empty();
    }
    /// Why a file that must be sound as a whole is not; empty if it is.
    [[nodiscard]] std::string firstReason() const;

    /// Datasets of which the library need not be asked; none where an object is damaged, or the file
    /// grows.
    PlainDatasets plain;

    std::uint64_t root = 0;
    /// Length of the pages in which the file's space is handed out; 0: it is not.
    std::uint64_t pageBytes = 0;
    /// The file is open for SWMR: what was found is of a state in passing, if its writer lives.
    bool isGrowing = false;
    /// There is more behind the end that its superblock states.
    bool goesOn = false;

private:
    friend class StructureWalk;

    std::vector<std::uint64_t> m_reached;            ///< in ascending order
    std::map<std::uint64_t, std::string> m_objects;  ///< damaged ones
    std::map<std::uint64_t, PartialGroup> m_partialGroups;
    std::map<std::uint64_t, std::map<std::string, std::string>> m_attributes;
    std::map<std::uint64_t, std::vector<std::string>> m_doubts;
};

/// Walks over the metadata of an HDF5 file, which is read by pread and never mapped: superblock,
/// object headers, links, types, shapes, storage, tables of chunks, attributes and the texts they
/// refer to. Each structure must be where it should, as long as it says and used once; what has a
/// checksum must agree with it. No values are read. Time grows with the size of the metadata, and
/// is bounded by the file's. Throws Error(Input) where the file as a whole cannot be used, or is
/// left open by its writer, unless that is open for SWMR and `isLook`; Cancelled from the progress.
[[nodiscard]] Findings checkStructure(const std::string& path, const Progress& progress = {},
                                      bool isLook = false);

}  // namespace calibscope::structure
