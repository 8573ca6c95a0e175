#include "core/protocol/bounded_dom.h"

#include <utility>

namespace calibscope::protocol {

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

}  // namespace calibscope::protocol
