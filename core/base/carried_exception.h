// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>

namespace calibscope {

/// For callbacks of a library that is written in C: what is thrown in one may not pass through it.
/// It ends the iteration and is thrown again when the library has come back.
class CarriedException
{
public:
    /// What the callback is to return: 0, or -1, at which the library stops.
    template <typename Action>
    int guard(const Action& action) noexcept
    {
        try {
            action();
            return 0;
        } catch (...) {
            m_thrown = std::current_exception();
            return -1;
        }
    }
    /// To be called behind the library.
    void rethrow() const
    {
        if (m_thrown)
            std::rethrow_exception(m_thrown);
    }

private:
    std::exception_ptr m_thrown;
};

}  // namespace calibscope
