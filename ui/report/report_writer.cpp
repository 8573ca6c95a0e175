#include "ui/report/report_writer.h"

#include "core/base/error.h"
#include "core/report/index_page.h"
#include "core/report/output.h"
#include "core/report/scales_table.h"
#include "core/report/summary_json.h"
#include "core/report/tensor_page.h"
#include "ui/report/report_pictures.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace calibscope {

namespace {

constexpr std::size_t mostPictures = 500;
constexpr std::string_view mark = "summary.json";

std::vector<Recipe> chosenRecipes(const std::vector<std::string>& ids)
{
    std::vector<Recipe> chosen;
    for (const std::string& id : ids)
        chosen.push_back(recipe(id));
    if (ids.empty())
        std::ranges::copy_if(recipes(), std::back_inserter(chosen),
                             [](const Recipe& published) { return !published.isVariant; });
    return chosen;
}

void writeFile(const std::filesystem::path& path, const std::string& content)
{
    Output output(path.string());
    output.write(content);
    output.finish();
}

std::string savedPicture(ReportWriter::Target& target, const std::optional<QImage>& picture,
                         const std::string& name)
{
    if (!picture)
        return {};
    std::string place = "png/" + name + ".png";
    target.pictures.save(*picture, QFile::decodeName((target.folder.path() / place).c_str()));
    return place;
}

}  // namespace

ReportWriter::ReportWriter(EngineCalls& calls, ReportOptions options, Observer observer)
    : m_calls(calls), m_options(std::move(options)), m_observer(std::move(observer))
{}

report::Report ReportWriter::write()
{
    m_report.recipes = chosenRecipes(m_options.recipes);
    for (const std::string& expression : m_options.gates)
        m_report.gates.push_back(parseGate(expression));
    Target target{.folder{m_options.folder,
                          m_options.overwrite ? OutputFolder::Existing::Replace
                                              : OutputFolder::Existing::Refuse,
                          mark}};
    target.folder.makeFolder("tensor");
    target.folder.makeFolder("png");
    openSources();
    m_planned = planTensors(m_dumps, m_report.recipes);
    for (PlannedTensor& planned : m_planned)
        planned.request.allowExternal = m_options.allowExternal;
    writeTensors(target);
    if (!drawsAll())
        writeWorstPictures(target);
    target.pictures.finish();
    writeFile(target.folder.path() / "index.html", report::indexPage(m_report));
    writeFile(target.folder.path() / mark, report::summaryJson(m_report));
    target.folder.finish();
    return std::move(m_report);
}

void ReportWriter::openSources()
{
    for (const std::string& path : m_options.files) {
        Answer<serve::DumpOpened> answer =
            m_calls.open({.path = path, .allowExternal = m_options.allowExternal});
        report::Source source{.identity = {.path = path}, .problem = answer.failure.toStdString()};
        m_dumps.push_back(std::move(answer.value).value_or(serve::DumpOpened{}));
        if (source.problem.empty()) {
            source.identity = m_dumps.back().identity;
            source.attributes = m_dumps.back().attributes;
            source.warnings = m_dumps.back().warnings;
        }
        m_report.sources.push_back(std::move(source));
    }
}

void ReportWriter::writeTensors(Target& target)
{
    Output csv((target.folder.path() / "scales.csv").string());
    TableWriter table(csv.sink(), TableFormat::Csv, scaleColumns());
    for (std::size_t place = 0; place < m_planned.size(); ++place) {
        const PlannedTensor& planned = m_planned[place];
        if (m_observer)
            m_observer(place, m_planned.size(), planned.info.name);
        const Answer<serve::TensorView> answer = read(planned);
        if (!answer.value) {
            m_report.lines.push_back({.source = planned.source,
                                      .info = planned.info,
                                      .problem = answer.failure.toStdString()});
            continue;
        }
        for (const Outcome& outcome : answer.value->outcomes)
            for (const std::vector<Cell>& row : scaleRows(outcome, false))
                table.row(row);
        const report::TensorPart part = partOf(planned, *answer.value);
        writePage(target, place, part, drawsAll());
        addLine(part);
    }
    table.finish();
    csv.finish();
}

void ReportWriter::writeWorstPictures(Target& target)
{
    std::vector<std::size_t> worst = m_report.ranking();
    worst.resize(std::min(worst.size(), m_options.worstPictures.value_or(mostPictures)));
    for (std::size_t done = 0; done < worst.size(); ++done) {
        const PlannedTensor& planned = m_planned[worst[done]];
        if (m_observer)
            m_observer(done, worst.size(), "pictures of " + planned.info.name);
        // Kept from the first time, the views of all tensors could fill the memory.
        if (const Answer<serve::TensorView> answer = read(planned); answer.value)
            writePage(target, worst[done], partOf(planned, *answer.value), true);
    }
}

Answer<serve::TensorView> ReportWriter::read(const PlannedTensor& planned)
{
    if (planned.info.isReadable())
        return m_calls.view(planned.request);
    return {.failure = QString::fromStdString(planned.info.unreadable)};
}

void ReportWriter::writePage(Target& target, std::size_t place, report::TensorPart part,
                             bool withPictures) const
{
    const auto neighbour = [this](std::size_t at) -> std::optional<report::Neighbour> {
        if (at >= m_planned.size() || !m_planned[at].info.isReadable())
            return std::nullopt;
        return report::Neighbour{.name = m_planned[at].info.name, .page = pageOf(m_planned[at])};
    };
    if (withPictures) {
        const std::string& name = m_planned[place].fileName;
        const ReportPictures pictures = reportPictures(part, pictureFooter(part));
        part.pictures.histogram = savedPicture(target, pictures.histogram, name + "-histogram");
        part.pictures.curve = savedPicture(target, pictures.curve, name + "-curve");
        part.pictures.channels = savedPicture(target, pictures.channels, name + "-channels");
    }
    writeFile(target.folder.path() / part.page,
              report::tensorPage(part, {.source = &m_report.sources[part.source],
                                        .recipes = m_report.recipes,
                                        .previous = neighbour(place - 1),
                                        .next = neighbour(place + 1)}));
}

void ReportWriter::addLine(const report::TensorPart& part)
{
    for (const Gate& gate : m_report.gates)
        for (const report::Result& result : part.results)
            if (const std::optional<double> value = offence(gate, result.outcome))
                m_report.offences.push_back({.gate = gate.expression,
                                             .metric = gate.metric,
                                             .line = m_report.lines.size(),
                                             .label = result.label,
                                             .value = *value});
    m_report.lines.push_back(report::lineOf(part));
}

bool ReportWriter::drawsAll() const
{
    return !m_options.worstPictures && m_planned.size() <= mostPictures;
}

QString ReportWriter::pictureFooter(const report::TensorPart& part) const
{
    const QString path = QFile::decodeName(m_report.sources[part.source].identity.path.c_str());
    return QStringLiteral("%1   Calibscope %2")
        .arg(QFileInfo(path).fileName(), QStringLiteral(CALIBSCOPE_VERSION));
}

}  // namespace calibscope
