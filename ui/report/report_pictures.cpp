#include "ui/report/report_pictures.h"

#include "ui/candidate_style.h"
#include "ui/charts/scale_rows_content.h"
#include "ui/charts/search_mark.h"

#include <QCoreApplication>

#include <algorithm>

namespace calibscope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("ReportPictures", text);
}

HistogramSpec specOf(Domain domain)
{
    return {.domain = domain};
}

PictureSettings settingsFor(const report::TensorPart& part, const QString& footer, int height)
{
    constexpr int width = 1000;
    constexpr double sharp = 2.0;
    const TensorInfo& info = part.profile.info;
    QString facts = QString::fromStdString(info.op);
    facts += (facts.isEmpty() ? "" : "   ") + QString::fromStdString(shapeText(info.shape));
    return {.size = {width, height},
            .scale = sharp,
            .title = QString::fromStdString(info.name),
            .subtitle = facts + "   " + QString::fromStdString(info.elementType),
            .footer = footer};
}

SeriesStyle styleOf(const report::Result& result)
{
    return candidateStyle(result.label, lightChartColors());
}

std::vector<ThresholdMark> thresholdMarks(const report::TensorPart& part)
{
    std::vector<ThresholdMark> marks;
    for (const report::Result& result : part.results)
        if (result.outcome.problem.empty())
            marks.push_back({.label = QString::fromStdString(result.label),
                             .color = styleOf(result).color,
                             .style = styleOf(result).pen,
                             .clip = result.outcome.whole.quantizer.clip});
    return marks;
}

std::vector<CurveMark> curveMarks(const report::TensorPart& part)
{
    std::vector<CurveMark> marks;
    for (const report::Result& result : part.results)
        if (std::optional<CurveMark> mark = searchMark(result.outcome)) {
            mark->label = QString::fromStdString(result.label);
            mark->color = styleOf(result).color;
            mark->style = styleOf(result).pen;
            marks.push_back(std::move(*mark));
        }
    return marks;
}

/// Scales that the largest magnitude of each channel would give; nothing without channels.
std::optional<ScaleRowMark> scalesOfExtents(const TensorProfile& profile)
{
    if (profile.channels.empty())
        return std::nullopt;
    const double qmax = Scheme{}.qmax();
    ScaleRowMark scales{.label = tr("max |x| / %1").arg(qmax),
                        .color = lightChartColors().axis,
                        .scales = {},
                        .tensorScale = profile.extents().absMax() / qmax};
    for (const Extents& channel : profile.channels)
        scales.scales.push_back(channel.absMax() / qmax);
    return scales;
}

std::optional<ScaleRowMark> channelScales(const report::TensorPart& part)
{
    const auto found = std::ranges::find_if(part.results, [](const report::Result& result) {
        return result.outcome.problem.empty() && result.outcome.isPerChannel();
    });
    if (found == part.results.end())
        return scalesOfExtents(part.profile);
    ScaleRowMark scales{// The plot says itself that this is per channel.
                        .label = QString::fromStdString(found->label).remove(" per channel"),
                        .color = styleOf(*found).color,
                        .scales = {},
                        .tensorScale = found->outcome.whole.quantizer.scale};
    for (const ScaleRow& channel : found->outcome.channels)
        scales.scales.push_back(channel.quantizer.scale);
    return scales;
}

QImage histogramPicture(const report::TensorPart& part, const QString& footer)
{
    constexpr int height = 440;
    const bool isSigned = std::ranges::any_of(part.results, [](const report::Result& result) {
        return result.outcome.choice.scheme.isAffine();
    });
    const HistogramSpec spec = specOf(isSigned ? Domain::Signed : Domain::Magnitude);
    const Histogram* histogram = part.profile.histogram(spec);
    const Histogram nothing{.spec = spec, .counts = {0}};
    return renderPicture(histogram != nullptr ? *histogram : nothing, thresholdMarks(part),
                         settingsFor(part, footer, height));
}

}  // namespace

std::vector<HistogramSpec> reportHistograms()
{
    return {specOf(Domain::Magnitude), specOf(Domain::Signed)};
}

ReportPictures reportPictures(const report::TensorPart& part, const QString& footer)
{
    constexpr int lowHeight = 340;
    ReportPictures pictures{.histogram = histogramPicture(part, footer)};
    const PictureSettings settings = settingsFor(part, footer, lowHeight);
    if (const std::vector<CurveMark> curves = curveMarks(part); !curves.empty())
        pictures.curve = renderPicture(curves, settings);
    if (const std::optional<ScaleRowMark> scales = channelScales(part))
        pictures.channels = renderPicture(*scales, settings);
    return pictures;
}

}  // namespace calibscope
