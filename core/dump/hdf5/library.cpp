// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/hdf5/library.h"

#include "core/base/carried_exception.h"

#include <algorithm>

namespace calibscope::hdf5 {

namespace {

std::recursive_mutex& libraryMutex()
{
    static std::recursive_mutex mutex;
    return mutex;
}

// How often this thread has taken the lock: the switch for printing costs a call, and the lock is
// taken for each handle that closes.
thread_local int depth = 0;

struct Reason
{
    std::string text;
    CarriedException carried;
};

/// The walk begins at the innermost failure: its message is kept, later ones are passed over.
herr_t keepFirst(unsigned /*level*/, const H5E_error2_t* error, void* kept)
{
    auto& reason = *static_cast<Reason*>(kept);
    return reason.carried.guard([&] {
        if (reason.text.empty() && error->desc != nullptr)
            reason.text = error->desc;
    });
}

}  // namespace

Lock::Lock() : m_lock(libraryMutex())
{
    if (depth++ == 0)
        H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Lock::~Lock()
{
    --depth;
}

#if H5_VERSION_GE(1, 12, 0)
std::uint64_t addressOf(const H5O_token_t& token)
{
    std::uint64_t address = 0;
    for (std::size_t byte = sizeof(address); byte-- > 0;)
        address = address << 8 | token.__data[byte];
    return address;
}
#endif

std::string lastReason()
{
    Reason reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepFirst, &reason);
    reason.carried.rethrow();
    std::string& text = reason.text;
    std::ranges::replace_if(
        text, [](unsigned char byte) { return byte < 0x20; }, ' ');
    return text.empty() ? "the HDF5 library gives no reason" : std::move(text);
}

std::optional<std::uint64_t> headerAddress(hid_t object)
{
#if H5_VERSION_GE(1, 12, 0)
    H5O_info2_t info;
    if (H5Oget_info3(object, &info, H5O_INFO_BASIC) < 0)
        return std::nullopt;
    return addressOf(info.token);
#else
    H5O_info_t info;
    if (H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0)
        return std::nullopt;
    return info.addr;
#endif
}

Handle::~Handle()
{
    if (!isValid())
        return;
    const Lock lock;
    m_close(m_id);
}

}  // namespace calibscope::hdf5
