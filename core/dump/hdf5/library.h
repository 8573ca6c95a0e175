// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace calibscope::hdf5 {

/// To be held around every call of the HDF5 library: there is one lock for all threads, since the
/// library need not be built thread-safe, and while it is held the library prints nothing (its
/// switch for that is per thread). May be taken again by the thread that holds it.
class Lock
{
public:
    Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock();

private:
    std::unique_lock<std::recursive_mutex> m_lock;
};

/// Why the last call failed, in the library's words: the innermost message. Call under the Lock.
[[nodiscard]] std::string lastReason();

/// The address of an object's header, as hard links and a walk over its file know it; nothing if
/// the object is none. Call under the Lock.
[[nodiscard]] std::optional<std::uint64_t> headerAddress(hid_t object);

#if H5_VERSION_GE(1, 12, 0)
/// The same of a token, in which it stands.
[[nodiscard]] std::uint64_t addressOf(const H5O_token_t& token);
#endif

/// An HDF5 identifier that closes itself. Invalid while negative.
class Handle
{
public:
    using Close = herr_t (*)(hid_t);

    Handle() = default;
    Handle(hid_t id, Close close) : m_id(id), m_close(close) {}
    Handle(Handle&& other) noexcept
        : m_id(std::exchange(other.m_id, H5I_INVALID_HID)), m_close(other.m_close)
    {}
    Handle& operator=(Handle&& other) noexcept
    {
        std::swap(m_id, other.m_id);
        std::swap(m_close, other.m_close);
        return *this;
    }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle();

    [[nodiscard]] hid_t id() const { return m_id; }
    [[nodiscard]] bool isValid() const { return m_id >= 0; }

private:
    hid_t m_id = H5I_INVALID_HID;
    Close m_close = nullptr;
};

}  // namespace calibscope::hdf5
