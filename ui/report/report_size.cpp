#include "ui/report/report_size.h"

namespace calibscope {

namespace {

// Measured on the sample's report; a PNG grows a little less than its pixels.
constexpr std::uint64_t picturesOfTensor = 3;
constexpr std::uint64_t pngBytes = 45000;  // at scale 1, for each further one as many
constexpr std::uint64_t svgBytes = 50000;
constexpr std::uint64_t pdfBytes = 16000;
constexpr std::uint64_t pageBytes = 15000;
constexpr std::uint64_t snippetBytes = 15000;  // for each recipe
constexpr std::uint64_t channelPageBytes = 18000;
constexpr std::uint64_t rowBytes = 420;
constexpr std::uint64_t fixedBytes = 60000;

}  // namespace

std::uint64_t reportBytes(const ReportOptions& options, const ReportCounts& counts)
{
    using report::Content;
    using report::Format;
    std::uint64_t ofTensor = 0;
    if (options.has(Content::Tensors)) {
        if (options.has(Format::Html))
            ofTensor += pageBytes + snippetBytes * counts.recipes / 2;
        if (options.has(Format::Png))
            ofTensor +=
                picturesOfTensor * pngBytes * static_cast<std::uint64_t>(options.pictureScale);
        if (options.has(Format::Svg))
            ofTensor += picturesOfTensor * svgBytes;
        if (options.has(Format::Pdf))
            ofTensor += pdfBytes;
    }
    if (options.has(Format::Csv))
        ofTensor += rowBytes * counts.recipes;
    if (options.has(Format::Json))
        ofTensor += rowBytes * counts.recipes;
    std::uint64_t bytes = fixedBytes + ofTensor * counts.tensors;
    if (options.has(Content::Channels) && options.has(Format::Html))
        bytes += channelPageBytes * counts.channelTensors;
    return bytes;
}

}  // namespace calibscope
