#pragma once

#include "core/protocol/codec/where.h"
#include "core/protocol/number_array.h"
#include "core/protocol/wire.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace calibscope::protocol {

/// Many short lists of words, most of them empty or alike (the notes of thousands of channels).
/// Written as {"words": distinct ones, "counts": words of each list, "places": index of each word}.
[[nodiscard]] Json writeWordLists(const std::vector<std::vector<std::string>>& lists);

/// The lists again; fails unless there are exactly `count`.
[[nodiscard]] std::vector<std::vector<std::string>>
readWordLists(const Json& json, std::size_t count, const Where& where);

}  // namespace calibscope::protocol
