// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/check_values.h"

#include "core/base/error.h"
#include "core/collect/collect_profile.h"
#include "core/stats/suspicions.h"

#include <algorithm>
#include <iterator>

namespace calibscope {

namespace {

/// Of "mixed" parts some may have none.
bool hasChecksum(const TensorInfo& info)
{
    return !info.checksum.empty() && info.checksum != "none" && info.checksum != "mixed";
}

}  // namespace

std::string_view checkStateText(ValueCheck::State state)
{
    switch (state) {
    case ValueCheck::State::Verified: return "verified";
    case ValueCheck::State::NoChecksum: return "no checksum";
    case ValueCheck::State::Damaged: return "damaged";
    case ValueCheck::State::NotRead: return "not read";
    }
    return "not read";
}

ValueCheck checkValues(const ValueSource& source, const Progress& progress)
{
    const TensorInfo& info = source.info;
    ValueCheck check{.state = ValueCheck::State::NotRead, .problem = {}, .doubts = info.doubts};
    if (!info.isReadable()) {
        check.problem = info.unreadable.sentence;
        return check;
    }
    try {
        std::ranges::move(suspicions(collectProfile(source, progress)),
                          std::back_inserter(check.doubts));
        check.state =
            hasChecksum(info) ? ValueCheck::State::Verified : ValueCheck::State::NoChecksum;
    } catch (const Error& error) {
        check.state = ValueCheck::State::Damaged;
        check.problem = error.what();
    }
    return check;
}

}  // namespace calibscope
