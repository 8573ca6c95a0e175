#include "core/dump/attribute_reader.h"

namespace calibscope {

std::optional<std::string> AttributeReader::text(const std::string& name)
{
    const AttributeValue* value = find(name);
    if (value == nullptr)
        return std::nullopt;
    if (const auto* text = std::get_if<std::string>(value))
        return *text;
    const auto* list = std::get_if<std::vector<std::string>>(value);
    if (list != nullptr && list->size() == 1)
        return list->front();
    passOver(name, "it is not a string");
    return std::nullopt;
}

std::optional<std::int64_t> AttributeReader::integer(const std::string& name)
{
    const AttributeValue* value = find(name);
    if (value == nullptr)
        return std::nullopt;
    if (const auto* number = std::get_if<std::int64_t>(value))
        return *number;
    passOver(name, "it is not a whole number");
    return std::nullopt;
}

std::vector<std::string> AttributeReader::texts(const std::string& name)
{
    const AttributeValue* value = find(name);
    if (value == nullptr)
        return {};
    if (const auto* list = std::get_if<std::vector<std::string>>(value))
        return *list;
    if (const auto* text = std::get_if<std::string>(value))
        return {*text};
    passOver(name, "it is not a list of strings");
    return {};
}

void AttributeReader::passOver(const std::string& name, const std::string& reason)
{
    m_warnings.push_back("attribute " + name + " is ignored: " + reason);
}

const AttributeValue* AttributeReader::find(const std::string& name) const
{
    const auto found = m_attributes.find(name);
    return found == m_attributes.end() ? nullptr : &found->second;
}

}  // namespace calibscope
