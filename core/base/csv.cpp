// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

#include "core/base/error.h"

#include <algorithm>
#include <vector>

namespace calibscope {

namespace {

class CsvReader
{
public:
    CsvReader(std::string_view text, const std::string& origin) : m_text(text), m_origin(origin)
    {
        constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
        if (m_text.starts_with(byteOrderMark))
            m_text.remove_prefix(byteOrderMark.size());
    }

    [[nodiscard]] bool isAtEnd() const { return m_text.empty(); }
    [[nodiscard]] std::size_t line() const { return m_line; }

    /// The fields up to the end of the line, in place of those before.
    void readRow(std::vector<std::string>& fields)
    {
        fields.clear();
        bool hasMore = true;
        while (hasMore) {
            fields.push_back(m_text.starts_with('"') ? quoted() : plain());
            hasMore = m_text.starts_with(',');
            if (hasMore)
                m_text.remove_prefix(1);
        }
        if (m_text.starts_with("\r\n"))
            m_text.remove_prefix(1);
        if (m_text.starts_with('\n')) {
            m_text.remove_prefix(1);
            ++m_line;
        } else if (!m_text.empty()) {
            fail("text follows a closing quote");
        }
    }

private:
    std::string plain()
    {
        const std::size_t end = std::min(m_text.find_first_of(",\n"), m_text.size());
        std::string_view field = m_text.substr(0, end);
        m_text.remove_prefix(end);
        if (field.ends_with('\r') && !m_text.starts_with(','))
            field.remove_suffix(1);
        return std::string(field);
    }

    std::string quoted()
    {
        std::string field;
        const std::size_t began = m_line;
        do {
            m_text.remove_prefix(1);
            const std::size_t end = m_text.find('"');
            if (end == std::string_view::npos) {
                m_line = began;
                fail("a quote is not closed");
            }
            const std::string_view part = m_text.substr(0, end);
            m_line += static_cast<std::size_t>(std::ranges::count(part, '\n'));
            field += part;
            m_text.remove_prefix(end + 1);
            if (m_text.starts_with('"'))
                field += '"';
        } while (m_text.starts_with('"'));
        return field;
    }

    [[noreturn]] void fail(const std::string& what) const
    {
        throw Error(Fault::Input, "{}: line {}: {}", m_origin, m_line, what);
    }

    std::string_view m_text;
    const std::string& m_origin;
    std::size_t m_line = 1;
};

}  // namespace

void forEachCsvRow(std::string_view text, const std::string& origin,
                   const std::function<void(std::span<const std::string>, std::size_t)>& row)
{
    CsvReader reader(text, origin);
    std::vector<std::string> fields;
    while (!reader.isAtEnd()) {
        const std::size_t line = reader.line();
        reader.readRow(fields);
        if (fields.size() > 1 || !fields.front().empty())
            row(fields, line);
    }
}

}  // namespace calibscope
