// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/settings.h"
#include "core/exchange/scale_file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope::exchange {

/// How well bytes look like a format.
enum class Likeness { None, Possible, Certain };

/// A format of another tool: how it is known, read and written, and what it can carry. Readers are
/// lenient: what is odd is kept and told, never dropped; they throw Error(Input), beginning with
/// `origin`, only for what is not a file of the format at all. Writers are exact: what the format
/// can't carry is an Error(Usage) that names the tensor; an entry of a role that the format does
/// not have is left to its caller.
struct ExchangeFormat
{
    int order = 0;        ///< position in lists
    std::string_view id;  ///< "tensorrt-cache"
    std::string_view title;
    std::string_view suffix;  ///< that its files mostly have: "cache"
    std::string_view source;  ///< which code of the tool the format is restated from
    std::string_view holds;   ///< what a value in it is, and what it can't carry, as a sentence
    bool hasWeights = false;
    bool hasActivations = true;
    bool statesScale = false;  ///< the scale itself, which readers make of no threshold or ends
    bool needsCounts = false;  ///< writes entries' histograms
    /// An entry's name is a layer's, with the scale of its input, or of its weight with "_param_0".
    bool isByLayer = false;
    /// Parameters of a writer besides the entries, as ScaleFile::facts has it, with defaults.
    std::vector<Parameter> parameters = {};
    Likeness (*recognise)(std::string_view bytes) = nullptr;
    ScaleFile (*read)(std::string_view bytes, const std::string& origin) = nullptr;
    std::string (*write)(const ScaleFile& file) = nullptr;  ///< nullptr: is read only
    // Of a format whose files are of any size, or refer to others, instead of recognise and read:
    bool (*isFile)(const std::string& path) = nullptr;
    ScaleFile (*readFile)(const std::string& path) = nullptr;
};

/// All formats, one file each in core/exchange/formats, in their order.
[[nodiscard]] const std::vector<ExchangeFormat>& exchangeFormats();
/// The format of that id. Throws Error(Usage) that lists the known ones.
[[nodiscard]] const ExchangeFormat& exchangeFormat(std::string_view id);

constexpr std::uint64_t mostScaleFileBytes = std::uint64_t{64} << 20U;
constexpr std::size_t mostEntries = 1U << 20U;

/// The bytes as the format of that id, or as the one that they look most like. Throws Error(Input)
/// that names the known formats where they look like none, have more than mostEntries, or are of a
/// format that reads files alone.
[[nodiscard]] ScaleFile readScales(std::string_view bytes, const std::string& origin,
                                   std::string_view formatId = {});
/// A file likewise, up to mostScaleFileBytes; or of any size in a format that reads files.
[[nodiscard]] ScaleFile readScaleFile(const std::string& path, std::string_view formatId = {});

/// The bytes of a file of that format. The facts are completed by the parameters' defaults. Throws
/// Error(Usage) as ExchangeFormat tells, for a format that is read only, and where there are no
/// entries.
[[nodiscard]] std::string scaleFileBytes(const ExchangeFormat& format, ScaleFile file);

}  // namespace calibscope::exchange
