#pragma once

#include <string_view>
#include <tuple>

namespace calibscope::protocol {

/// A member of a struct and its name in messages.
template <typename Struct, typename Member>
struct Field
{
    std::string_view name;
    Member Struct::*member;
};

template <typename Struct, typename Member>
Field(std::string_view, Member Struct::*) -> Field<Struct, Member>;

/// The members of a struct that travel: `static constexpr auto list = std::tuple{Field{...}, ...}`.
/// From this one list follow writing, reading, and the writing of many as columns.
template <typename Struct>
struct Fields;

template <typename Struct>
concept HasFields = requires
{
    Fields<Struct>::list;
};

/// Calls visit(field) for each field of the struct, in order.
template <HasFields Struct, typename Visit>
void forEachField(Visit visit)
{
    std::apply([&visit](const auto&... field) { (visit(field), ...); }, Fields<Struct>::list);
}

/// How many values an enum has that travels; its values are 0 to one less.
template <typename Enum>
constexpr int enumCount = 0;

}  // namespace calibscope::protocol
