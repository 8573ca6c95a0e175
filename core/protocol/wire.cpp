#include "core/protocol/wire.h"

#include "core/base/error.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace calibscope::protocol {

namespace {

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

bool BoundedDom::key(string_t& value)
{
    m_key = std::move(value);
    return true;
}

bool BoundedDom::parse_error(std::size_t position, const std::string&,
                             const nlohmann::detail::exception&)
{
    m_problem = "it is damaged at byte " + std::to_string(position);
    return false;
}

Json* BoundedDom::add(Json value)
{
    if (++m_values > valueLimit) {
        m_problem = "it has more than " + std::to_string(valueLimit) + " parts";
        return nullptr;
    }
    if (m_open.empty()) {
        m_root = std::move(value);
        return &m_root;
    }
    // Only the innermost container grows, so the pointers to the outer ones stay good.
    Json& parent = *m_open.back();
    if (parent.is_array()) {
        parent.push_back(std::move(value));
        return &parent.back();
    }
    return &(parent[m_key] = std::move(value));
}

bool BoundedDom::open(Json container)
{
    if (m_open.size() == depthLimit) {
        m_problem = "it is nested deeper than " + std::to_string(depthLimit);
        return false;
    }
    Json* const added = add(std::move(container));
    if (added != nullptr)
        m_open.push_back(added);
    return added != nullptr;
}

bool BoundedDom::close()
{
    m_open.pop_back();
    return true;
}

}  // namespace

std::string toFrame(const Json& message)
{
    std::string frame(lengthBytes, '\0');
    Json::to_cbor(message, frame);  // appends
    const std::size_t length = frame.size() - lengthBytes;
    if (length > frameLimit)
        throw Error(Fault::Input, "engine message: " + std::to_string(length) +
                                      " bytes are more than a message may have (" +
                                      std::to_string(frameLimit) +
                                      "); ask for fewer histograms or calibrators at once");
    for (std::size_t byte = 0; byte < lengthBytes; ++byte)
        frame[byte] = static_cast<char>((length >> (8 * byte)) & 0xffU);
    return frame;
}

Json parseCbor(std::string_view bytes)
{
    BoundedDom dom;
    if (!Json::sax_parse(bytes.begin(), bytes.end(), &dom, Json::input_format_t::cbor))
        throw Error(Fault::Input, "engine message: " + dom.problem());
    return dom.take();
}

}  // namespace calibscope::protocol
