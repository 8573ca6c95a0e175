// What ReportWriter draws: pictures of tensors, and the PDF.
#include "ui/report/paper_report.h"
#include "ui/report/provenance.h"
#include "ui/report/report_pictures.h"
#include "ui/report/report_writer.h"

#include <QFile>

#include <algorithm>
#include <set>

namespace calibscope {

namespace {

constexpr std::size_t mostPictures = 500;

void placePicture(report::Pictures& pictures, const std::string& word, const std::string& place)
{
    if (word == "histogram")
        pictures.histogram = place;
    else if (word == "curve")
        pictures.curve = place;
    else
        pictures.channels = place;
}

}  // namespace

bool ReportWriter::hasPictures() const
{
    return m_options.has(report::Content::Tensors) &&
           (m_options.has(report::Format::Png) || m_options.has(report::Format::Svg));
}

bool ReportWriter::drawsAll() const
{
    return !m_options.worstPictures && m_planned.size() <= mostPictures;
}

/// Those that are drawn where not all are.
std::vector<std::size_t> ReportWriter::worstLines() const
{
    std::vector<std::size_t> worst = m_report.ranking();
    worst.resize(std::min(worst.size(), m_options.worstPictures.value_or(mostPictures)));
    return worst;
}

void ReportWriter::writeWorstPictures(Target& target)
{
    const std::vector<std::size_t> worst = worstLines();
    for (std::size_t done = 0; done < worst.size(); ++done) {
        observe(done, worst.size(), "pictures of " + m_planned[worst[done]].info.name);
        m_calls.checkStopped();
        if (const std::optional<protocol::TensorView> view = target.spool.take(worst[done])) {
            report::ReportedTensor part = pagePart(worst[done], *view);
            writePages(target, worst[done], part, true);
        }
    }
}

QByteArray ReportWriter::pdf(Target& target)
{
    std::set<std::size_t> drawn;
    if (m_options.has(report::Content::Tensors))
        for (const std::size_t line : worstLines())
            drawn.insert(line);
    const auto part = [&](std::size_t line) -> std::optional<report::ReportedTensor> {
        m_calls.checkStopped();
        observe(line, m_planned.size(), "page of " + m_planned[line].info.name);
        const std::optional<protocol::TensorView> view = target.spool.take(line);
        return view ? std::optional(partOf(m_planned[line], *view)) : std::nullopt;
    };
    return paperReport(m_report, drawn, part);
}

void ReportWriter::savePictures(Target& target, std::size_t place,
                                report::ReportedTensor& part) const
{
    if (!hasPictures())
        return;
    const QString provenance =
        m_options.hasFooters ? provenanceLine(m_report.sources[part.source], part.profile.info)
                             : QString();
    const std::vector<ReportPlot> plots =
        reportPlots(part, m_options.isDark, m_options.has(report::Content::Channels));
    for (const ReportPlot& plot : plots) {
        PictureSettings settings = reportPicture(part, plot, m_options.isDark, provenance);
        settings.scale = m_options.pictureScale;
        const auto path = [&](const std::string& folder) {
            const std::string file =
                folder + "/" + m_planned[place].fileName + "-" + plot.word + "." + folder;
            placePicture(part.pictures, plot.word, file);
            return QFile::decodeName((target.folder.path() / file).c_str());
        };
        // A page shows the PNG where there are both.
        if (m_options.has(report::Format::Svg))
            target.pictures.save(renderSvg(*plot.content, settings), path("svg"));
        if (m_options.has(report::Format::Png))
            target.pictures.save(renderContent(*plot.content, settings), path("png"));
    }
}

}  // namespace calibscope
