#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

/// What a report may consist of.
namespace calibscope::report {

enum class Content {
    Summary,      ///< recipes and what they keep, warnings, how the layout was understood
    Ranking,      ///< tensors and results, the worst first; sums over the network
    Tensors,      ///< a page for each tensor, with its pictures
    Channels,     ///< a page for the channels of each tensor that has some
    Statements,   ///< what the sources state, what was chosen, settings
    Environment,  ///< files with their SHA-256, versions, options
};

enum class Format { Html, Csv, Json, Png, Svg, Pdf };

/// Its word on the command line.
[[nodiscard]] std::string_view contentWord(Content content);
[[nodiscard]] std::string_view formatWord(Format format);

/// All of them, in their order.
[[nodiscard]] const std::vector<Content>& contents();
[[nodiscard]] const std::vector<Format>& formats();

/// The contents of "summary,ranking". Throws Error(Usage) that lists the words for any other, and
/// for none.
[[nodiscard]] std::set<Content> parseContents(std::string_view words);
[[nodiscard]] std::set<Format> parseFormats(std::string_view words);

}  // namespace calibscope::report
