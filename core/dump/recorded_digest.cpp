// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/recorded_digest.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace calibscope {

namespace {

void ignore(DatasetFacts& facts, std::string_view name, std::string_view reason)
{
    facts.warnings.push_back("attribute " + std::string(name) +
                             " is ignored: " + std::string(reason));
    facts.doubts.push_back(facts.warnings.back());
}

const AttributeValue* attributeOf(const DatasetFacts& facts, const std::string& name)
{
    const auto found = facts.attributes.find(name);
    return found == facts.attributes.end() ? nullptr : &found->second;
}

void takeSha256(DatasetFacts& facts)
{
    constexpr const char* name = "values_sha256";
    const AttributeValue* value = attributeOf(facts, name);
    if (value == nullptr)
        return;
    const auto* text = std::get_if<std::string>(value);
    const bool isDigest = text != nullptr && text->size() == 64 &&
                          text->find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!isDigest)
        return ignore(facts, name, "it is not 64 hexadecimal digits in lower case");
    facts.digest.sha256 = *text;
    facts.checksum =
        facts.checksum.empty() || facts.checksum == "none" ? "sha256" : facts.checksum + ", sha256";
}

std::optional<double> numberOf(DatasetFacts& facts, const char* name)
{
    const AttributeValue* value = attributeOf(facts, name);
    if (value == nullptr)
        return std::nullopt;
    if (const auto* number = std::get_if<double>(value);
        number != nullptr && std::isfinite(*number))
        return *number;
    if (const auto* whole = std::get_if<std::int64_t>(value))
        return static_cast<double>(*whole);
    ignore(facts, name, "it is not a finite number");
    return std::nullopt;
}

void compareCount(DatasetFacts& facts)
{
    constexpr const char* name = "values_count";
    const AttributeValue* value = attributeOf(facts, name);
    if (value == nullptr)
        return;
    const auto* told = std::get_if<std::int64_t>(value);
    if (told == nullptr)
        return ignore(facts, name, "it is not a whole number");
    std::uint64_t count = 1;
    for (const std::uint64_t length : facts.shape)
        count *= length;
    if (facts.unreadable.empty() && (*told < 0 || static_cast<std::uint64_t>(*told) != count))
        facts.unreadable = "its attribute values_count says " + std::to_string(*told) +
                           " values, its shape has " + std::to_string(count) +
                           "; the file is damaged, copy or record it again";
}

}  // namespace

void takeRecordedDigest(DatasetFacts& facts)
{
    takeSha256(facts);
    facts.digest.min = numberOf(facts, "values_min");
    facts.digest.max = numberOf(facts, "values_max");
    compareCount(facts);
}

}  // namespace calibscope
