// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/wire.h"

#include "core/base/error.h"
#include "core/protocol/cbor_check.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::protocol {

std::string toFrame(const Json& message)
{
    std::string frame(lengthBytes, '\0');
    Json::to_cbor(message, frame);  // appends
    const std::size_t length = frame.size() - lengthBytes;
    if (length > frameLimit)
        throw Error(Fault::Input,
                    "engine message: {} bytes are more than a message may have ({}); ask for fewer "
                    "histograms or calibrators at once",
                    length, frameLimit);
    for (std::size_t byte = 0; byte < lengthBytes; ++byte)
        frame[byte] = static_cast<char>((length >> (8 * byte)) & 0xffU);
    return frame;
}

namespace {

/// Builds what a reader tells of. Like nlohmann's own, but without the copy of all that from_cbor()
/// makes at its end, and with room made once.
class JsonBuilder : public nlohmann::json_sax<Json>
{
public:
    [[nodiscard]] Json take() { return std::move(m_root); }

    bool null() override { return place(nullptr); }
    bool boolean(bool value) override { return place(value); }
    bool number_integer(number_integer_t value) override { return place(value); }
    bool number_unsigned(number_unsigned_t value) override { return place(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override
    {
        return place(value);
    }
    bool string(string_t& value) override { return place(std::move(value)); }
    bool binary(binary_t& value) override { return place(Json::binary(std::move(value))); }
    bool start_object(std::size_t /*count*/) override { return open(Json::object()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t count) override
    {
        // No more than there are bytes for: checkCbor() has seen to that.
        open(Json::array());
        m_open.back()->get_ref<Json::array_t&>().reserve(count);
        return true;
    }
    bool end_array() override { return close(); }
    bool key(string_t& value) override
    {
        m_member = &m_open.back()->get_ref<Json::object_t&>()[std::move(value)];
        return true;
    }
    bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*error*/) override
    {
        return false;
    }

private:
    Json& room()
    {
        if (m_open.empty())
            return m_root;
        if (m_open.back()->is_object())
            return *m_member;
        return m_open.back()->get_ref<Json::array_t&>().emplace_back();
    }
    template <typename Value>
    bool place(Value&& value)
    {
        room() = std::forward<Value>(value);
        return true;
    }
    bool open(Json container)
    {
        Json& value = room();
        value = std::move(container);
        m_open.push_back(&value);
        return true;
    }
    bool close()
    {
        m_open.pop_back();
        return true;
    }

    Json m_root;
    std::vector<Json*> m_open;  ///< from the outside inward
    Json* m_member = nullptr;   ///< whose key came last
};

}  // namespace

Json parseCbor(std::string_view bytes)
{
    checkCbor(bytes);
    JsonBuilder builder;
    if (!Json::sax_parse(bytes.begin(), bytes.end(), &builder, Json::input_format_t::cbor))
        throw Error(Fault::Input, "engine message: it is damaged");
    return builder.take();
}

}  // namespace calibscope::protocol
