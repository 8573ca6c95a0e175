// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"

#include <string>

namespace calibscope {

/// Something needs the values of a tensor of which there is a profile alone. Whoever knows what
/// would do instead says so in a sentence of its own.
class NoValues : public Error
{
public:
    /// `where`: the profile's file and the tensor's path, "P.h5:/activations/a".
    explicit NoValues(const std::string& where)
        : NoValues(where, "a profile holds no values; open the dump that it was made of")
    {}
    NoValues(const std::string& where, const std::string& sentence)
        : Error(Fault::Usage, where + ": " + sentence), m_where(where)
    {}

    [[nodiscard]] const std::string& where() const { return m_where; }

private:
    std::string m_where;
};

}  // namespace calibscope
