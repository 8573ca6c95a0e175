// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_pictures.h"

#include "ui/charts/curve_content.h"
#include "ui/charts/histogram_content.h"
#include "ui/charts/marks.h"
#include "ui/charts/scale_rows_content.h"
#include "ui/models/candidate_style.h"
#include "ui/theme/theme.h"
#include "ui/theme/translate.h"

#include <QFontMetricsF>
#include <QSysInfo>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int pictureWidth = 1000;
constexpr int pictureFontPixels = 13;

HistogramSpec specOf(Domain domain)
{
    return {.domain = domain};
}

ChartColors colorsOf(bool isDark)
{
    return isDark ? darkChartColors() : lightChartColors();
}

SeriesStyle styleOf(const report::Result& result, bool isDark)
{
    return candidateStyle(result.id, colorsOf(isDark));
}

QString labelOf(const report::Result& result)
{
    return QString::fromStdString(result.label);
}

std::vector<ThresholdMark> thresholdMarks(const report::ReportedTensor& part, bool isDark)
{
    std::vector<ThresholdMark> marks;
    for (const report::Result& result : part.results)
        if (result.outcome.problem.empty())
            marks.push_back({.label = QString::fromStdString(result.label),
                             .color = styleOf(result, isDark).color,
                             .style = styleOf(result, isDark).pen,
                             .clip = result.outcome.whole.quantizer.clip});
    return marks;
}

std::vector<CurveMark> curveMarks(const report::ReportedTensor& part, bool isDark)
{
    std::vector<CurveMark> marks;
    for (const report::Result& result : part.results)
        if (std::optional<CurveMark> mark =
                searchMark(result.outcome, part.profile, Domain::Magnitude)) {
            mark->label = QString::fromStdString(result.label);
            mark->color = styleOf(result, isDark).color;
            mark->style = styleOf(result, isDark).pen;
            mark->marker = styleOf(result, isDark).marker;
            marks.push_back(std::move(*mark));
        }
    return marks;
}

/// Scales that the largest magnitude of each channel would give; nothing without channels.
std::optional<ScaleRowMark> scalesOfExtents(const TensorProfile& profile, bool isDark)
{
    if (profile.channels.empty())
        return std::nullopt;
    const double qmax = Scheme{}.qmax();
    ScaleRowMark scales{.label = tr("max |x| / %1").arg(qmax),
                        .color = colorsOf(isDark).axis,
                        .scales = {},
                        .tensorScale = profile.extents().absMax() / qmax};
    for (const Extents& channel : profile.channels)
        scales.scales.push_back(channel.absMax() / qmax);
    return scales;
}

std::optional<ScaleRowMark> channelScales(const report::ReportedTensor& part, bool isDark)
{
    const auto found = std::ranges::find_if(part.results, [](const report::Result& result) {
        return result.outcome.problem.empty() && result.outcome.isPerChannel();
    });
    if (found == part.results.end())
        return scalesOfExtents(part.profile, isDark);
    ScaleRowMark scales{// The plot says itself that this is per channel.
                        .label = QString::fromStdString(found->label).remove(" per channel"),
                        .color = styleOf(*found, isDark).color,
                        .scales = {},
                        .tensorScale = found->outcome.whole.quantizer.scale};
    for (const ScaleRow& channel : found->outcome.channels)
        scales.scales.push_back(channel.quantizer.scale);
    return scales;
}

ReportPlot histogramPlot(const report::ReportedTensor& part, bool isDark)
{
    // Without negative values the low ends of symmetric ranges would be half of the picture.
    const bool isSigned = part.profile.extents().min < 0.0 &&
                          std::ranges::any_of(part.results, [](const report::Result& result) {
                              return result.outcome.choice.scheme.isAffine();
                          });
    const HistogramSpec spec = specOf(isSigned ? Domain::Signed : Domain::Magnitude);
    const Histogram* histogram = part.profile.histogram(spec);
    const Histogram nothing{.spec = spec, .counts = {0}};
    auto content = std::make_shared<HistogramContent>();
    content->setHistogram(histogram != nullptr ? *histogram : nothing);
    content->setThresholds(thresholdMarks(part, isDark));
    content->setCountAxis(CountAxis::Log);
    ReportPlot plot{.word = "histogram", .content = std::move(content), .height = 440};
    for (const report::Result& result : part.results)
        if (result.outcome.problem.empty())
            plot.shown.push_back(labelOf(result));
    return plot;
}

/// Texts one after another, in lines that fit the picture.
QString wrapped(const std::vector<QString>& texts)
{
    constexpr double room = pictureWidth - 24;
    const QFontMetricsF metrics(pictureFont(pictureFontPixels));
    QString lines;
    QString line;
    for (const QString& text : texts) {
        const QString longer = line.isEmpty() ? text : line + QStringLiteral("; ") + text;
        if (!line.isEmpty() && metrics.horizontalAdvance(longer) > room) {
            lines += line + QStringLiteral(";\n");
            line = text;
        } else {
            line = longer;
        }
    }
    return lines + line;
}

void addWord(std::string& words, std::string_view word)
{
    words += (words.empty() ? "" : ", ") + std::string(word);
}

std::string scopeText(const ReportOptions& options, std::size_t shown, std::size_t all)
{
    std::string text = std::to_string(shown) + " of " + std::to_string(all);
    if (!options.filter.empty())
        text += ", filter " + options.filter;
    return text;
}

}  // namespace

std::vector<HistogramSpec> reportHistograms()
{
    return {specOf(Domain::Magnitude), specOf(Domain::Signed)};
}

std::vector<ReportPlot> reportPlots(const report::ReportedTensor& part, bool isDark,
                                    bool withChannels)
{
    constexpr int lowHeight = 340;
    std::vector<ReportPlot> plots;
    plots.push_back(histogramPlot(part, isDark));
    if (const std::vector<CurveMark> curves = curveMarks(part, isDark); !curves.empty()) {
        auto content = std::make_shared<CurveContent>();
        content->setCurves(curves);
        ReportPlot plot{.word = "curve", .content = std::move(content), .height = lowHeight};
        for (const CurveMark& mark : curves)
            plot.shown.push_back(mark.label);
        plots.push_back(std::move(plot));
    }
    if (!withChannels)
        return plots;
    if (const std::optional<ScaleRowMark> scales = channelScales(part, isDark)) {
        auto content = std::make_shared<ScaleRowsContent>();
        content->setRows(inIndexOrder({*scales}, tr("channel")));
        plots.push_back({.word = "channels",
                         .content = std::move(content),
                         .height = lowHeight,
                         .shown = {scales->label}});
    }
    return plots;
}

PictureSettings reportPicture(const report::ReportedTensor& part, const ReportPlot& plot,
                              bool isDark, const QString& provenance)
{
    const TensorInfo& info = part.profile.info;
    QString facts = QString::fromStdString(info.op);
    facts += (facts.isEmpty() ? "" : "   ") + QString::fromStdString(shapeText(info.shape));
    PictureSettings settings{.size = {pictureWidth, plot.height},
                             .isDark = isDark,
                             .title = QString::fromStdString(info.name),
                             .subtitle = facts + "   " + QString::fromStdString(elementText(info))};
    if (provenance.isEmpty())
        return settings;
    settings.footer = provenance + QStringLiteral("\n") + wrapped(plot.shown);
    // The lines below take nothing from the plot.
    constexpr int lineHeight = 21;
    settings.size.rheight() += lineHeight * static_cast<int>(settings.footer.count(u'\n'));
    return settings;
}

QString provenanceLine(const report::Source& source, const TensorInfo& tensor)
{
    constexpr qsizetype shownDigits = 12;
    QString line = QString::fromStdString(report::fileName(source));
    if (!source.identity.sha256.empty())
        line += QStringLiteral("   SHA-256 ") +
                QString::fromStdString(source.identity.sha256).left(shownDigits);
    else if (!source.identity.headerSha256.empty())
        line += QStringLiteral("   SHA-256 of the header ") +
                QString::fromStdString(source.identity.headerSha256).left(shownDigits);
    return line + QStringLiteral("   ") + QString::fromStdString(tensor.path) +
           QStringLiteral("   Calibscope " CALIBSCOPE_VERSION);
}

std::vector<std::pair<std::string, std::string>>
reportEnvironment(const ReportOptions& options, const std::vector<Recipe>& recipes,
                  std::size_t tensorsShown, std::size_t tensorsInAll)
{
    std::string ids;
    for (const Recipe& recipe : recipes)
        addWord(ids, recipe.id);
    std::string contents;
    for (const report::Content content : options.contents)
        addWord(contents, report::contentWord(content));
    std::string formats;
    for (const report::Format format : options.formats)
        addWord(formats, report::formatWord(format));
    return {{"Calibscope", CALIBSCOPE_VERSION},
            {"Qt", qVersion()},
            {"System", QSysInfo::prettyProductName().toStdString() + ", " +
                           QSysInfo::currentCpuArchitecture().toStdString()},
            {"Tensors", scopeText(options, tensorsShown, tensorsInAll)},
            {"Recipes", ids},
            {"Content", contents},
            {"Formats", formats}};
}

}  // namespace calibscope
