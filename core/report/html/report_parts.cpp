#include "core/report/html/report_parts.h"

#include "core/base/error.h"

#include <utility>

namespace calibscope::report {

namespace {

/// The values whose words stand in a list with commas between them.
template <typename Value>
std::set<Value> parsed(std::string_view option, std::string_view words,
                       const std::vector<Value>& all, std::string_view (*wordOf)(Value))
{
    std::set<Value> found;
    std::string known;
    for (const Value value : all)
        known += (known.empty() ? "" : ", ") + std::string(wordOf(value));
    std::size_t start = 0;
    while (start <= words.size()) {
        const std::size_t comma = std::min(words.find(',', start), words.size());
        const std::string_view word = words.substr(start, comma - start);
        const std::size_t before = found.size();
        for (const Value value : all)
            if (wordOf(value) == word)
                found.insert(value);
        if (found.size() == before)
            throw Error(Fault::Usage, std::string(option) + " " + std::string(words) + ": \"" +
                                          std::string(word) +
                                          "\" is none of these, or was said before: " + known);
        start = comma + 1;
    }
    return found;
}

}  // namespace

std::string_view contentWord(Content content)
{
    switch (content) {
    case Content::Summary: return "summary";
    case Content::Ranking: return "ranking";
    case Content::Tensors: return "tensors";
    case Content::Channels: return "channels";
    case Content::Statements: return "statements";
    case Content::Environment: return "environment";
    }
    return "";
}

std::string_view formatWord(Format format)
{
    switch (format) {
    case Format::Html: return "html";
    case Format::Csv: return "csv";
    case Format::Json: return "json";
    case Format::Png: return "png";
    case Format::Svg: return "svg";
    case Format::Pdf: return "pdf";
    }
    return "";
}

const std::vector<Content>& contents()
{
    static const std::vector<Content> all = {Content::Summary,    Content::Ranking,
                                             Content::Tensors,    Content::Channels,
                                             Content::Statements, Content::Environment};
    return all;
}

const std::vector<Format>& formats()
{
    static const std::vector<Format> all = {Format::Html, Format::Csv, Format::Json,
                                            Format::Png,  Format::Svg, Format::Pdf};
    return all;
}

std::set<Content> parseContents(std::string_view words)
{
    return parsed("--content", words, contents(), contentWord);
}

std::set<Format> parseFormats(std::string_view words)
{
    return parsed("--format", words, formats(), formatWord);
}

}  // namespace calibscope::report
