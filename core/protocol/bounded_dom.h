#pragma once

#include "core/protocol/wire.h"

#include <cstddef>
#include <string>
#include <vector>

namespace calibscope::protocol {

/// Builds a Json value from parse events and refuses what exceeds depthLimit or valueLimit, before
/// the reader's recursion or memory run away.
class BoundedDom : public nlohmann::json_sax<Json>
{
public:
    [[nodiscard]] const std::string& problem() const { return m_problem; }
    [[nodiscard]] Json take() { return std::move(m_root); }

    bool null() override { return add(nullptr) != nullptr; }
    bool boolean(bool value) override { return add(value) != nullptr; }
    bool number_integer(number_integer_t value) override { return add(value) != nullptr; }
    bool number_unsigned(number_unsigned_t value) override { return add(value) != nullptr; }
    bool number_float(number_float_t value, const string_t&) override
    {
        return add(value) != nullptr;
    }
    bool string(string_t& value) override { return add(std::move(value)) != nullptr; }
    bool binary(binary_t& value) override { return add(std::move(value)) != nullptr; }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool key(string_t& value) override;
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string& lastToken,
                     const nlohmann::detail::exception& failure) override;

private:
    Json* add(Json value);  ///< nullptr where a limit is exceeded
    bool open(Json container);
    bool close();

    std::size_t m_values = 0;
    Json m_root;
    std::vector<Json*> m_open;  ///< containers that are not complete, the innermost last
    std::string m_key;
    std::string m_problem = "it is damaged";
};

}  // namespace calibscope::protocol
