// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_writer.h"

#include "core/base/error.h"
#include "core/recipes/own_files.h"
#include "core/recipes/stand_in.h"
#include "core/report/describe/channels_page.h"
#include "core/report/describe/index_page.h"
#include "core/report/describe/ranking_page.h"
#include "core/report/describe/tensor_page.h"
#include "core/report/html/html.h"
#include "core/report/html/output_folder.h"
#include "core/report/html/summary_json.h"
#include "core/report/html/tensor_snippets.h"
#include "core/report/tables/ladder_report.h"
#include "core/report/tables/layer_report.h"
#include "core/report/tables/output.h"
#include "core/report/tables/scales_table.h"
#include "core/tensor/tensor_selection.h"
#include "ui/models/candidate_style.h"
#include "ui/models/tensor_filter.h"
#include "ui/models/tensor_flags.h"
#include "ui/queries/addresses.h"
#include "ui/report/paper_report.h"
#include "ui/report/report_files.h"
#include "ui/report/report_pictures.h"

#include <QFile>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace calibscope {

namespace {

void planChoices(PlannedTensor& planned, const Consumers& consumers,
                 std::span<const Recipe> recipes)
{
    for (const Recipe& recipe : recipes)
        if (std::optional<Choice> choice = choose(recipe, planned.info, consumers))
            planned.request.choices.push_back(std::move(*choice));
    planned.candidates = candidatesFor(planned.info, consumers, recipes);
    std::erase_if(planned.candidates,
                  [](const Candidate& candidate) { return candidate.recipes.empty(); });
}

/// Source and place in its list.
using TensorPlace = std::pair<std::size_t, std::size_t>;

/// The tensors that a pattern means. Throws where no dump has one.
void addNamed(std::set<TensorPlace>& named, const std::vector<protocol::DumpOpened>& dumps,
              const std::string& pattern)
{
    std::optional<Error> complaint;
    bool isFound = false;
    for (std::size_t source = 0; source < dumps.size(); ++source) {
        try {
            const std::vector<std::string> one = {pattern};
            for (const std::size_t tensor : selectTensors(dumps[source].tensors, one))
                named.emplace(source, tensor);
            isFound = true;
        } catch (const Error& error) {
            complaint = error;
        }
    }
    if (!isFound && complaint)
        throw Error(*complaint);
}

/// What the best of the report's calibrators has over the first recipe's choice, in dB.
std::optional<double> gainOf(const PlannedTensor& planned, EngineCalls& calls)
{
    protocol::ViewRequest request = planned.request;
    request.histograms.clear();
    const Answer<protocol::TensorView> answer = calls.view(request);
    if (!answer.value || answer.value->outcomes.empty())
        return std::nullopt;
    const std::vector<Outcome>& outcomes = answer.value->outcomes;
    const auto sqnrOf = [](const Outcome& outcome) {
        const std::optional<double> sqnr =
            outcome.problem.empty() ? outcome.whole.metric("sqnr_db") : std::nullopt;
        return sqnr && std::isfinite(*sqnr) ? sqnr : std::nullopt;
    };
    const std::optional<double> own = sqnrOf(outcomes.front());
    std::optional<double> gain;
    for (const Outcome& outcome : outcomes)
        if (const std::optional<double> sqnr = sqnrOf(outcome); own && sqnr)
            gain = std::max(gain.value_or(0.0), *sqnr - *own);
    return gain;
}

bool matches(const TensorFilter& filter, const PlannedTensor& planned, EngineCalls& calls)
{
    const bool isReadable = planned.info.isReadable();
    if (!filter.needsPreviews())
        return filter.matches({.tensor = planned.info, .isReadable = isReadable});
    std::optional<protocol::Preview> preview;
    std::optional<double> gain;
    if (isReadable) {
        const protocol::ViewRequest& view = planned.request;
        protocol::PreviewRequest request{.tensor = view.tensor, .choice = {}};
        if (!view.choices.empty())
            request.choice = view.choices.front();
        preview = calls.preview(request).value;
        if (filter.needsGains())
            gain = gainOf(planned, calls);
    }
    const protocol::Preview* known = preview ? &*preview : nullptr;
    const TensorFlags flags = tensorFlags(planned.info, known);
    return filter.matches({.tensor = planned.info,
                           .preview = known,
                           .isReadable = isReadable,
                           .isFlagged = flags.hasWarning(),
                           .flags = flags.letters,
                           .gainDb = gain});
}

constexpr std::string_view mark = "summary.json";

std::vector<Recipe> chosenRecipes(const ReportOptions& options)
{
    std::vector<Recipe> chosen;
    for (const std::string& id : options.recipes)
        chosen.push_back(recipeOrOwn(id));
    for (const std::string& text : options.presets)
        chosen.push_back(presetAsRecipe(text));
    for (const std::string& text : options.calibrators)
        chosen.push_back(calibratorAsRecipe(text));
    chosen.insert(chosen.end(), options.further.begin(), options.further.end());
    if (chosen.empty())
        std::ranges::copy_if(recipes(), std::back_inserter(chosen),
                             [](const Recipe& published) { return !published.isVariant; });
    return chosen;
}

constexpr std::size_t mostPictures = 500;

}  // namespace

std::vector<PlannedTensor> planTensors(std::span<const protocol::DumpOpened> dumps,
                                       std::span<const Recipe> recipes)
{
    FileNames names;
    std::vector<PlannedTensor> list;
    for (std::size_t source = 0; source < dumps.size(); ++source) {
        const Consumers consumers(dumps[source].tensors);
        for (std::size_t tensor = 0; tensor < dumps[source].tensors.size(); ++tensor) {
            if (dumps[source].tensors[tensor].role == Role::Bias)
                continue;  // no recipe gives it a scale
            PlannedTensor planned{.source = source, .info = dumps[source].tensors[tensor]};
            planned.fileName = names.next(planned.info.name);
            planned.request = {.tensor = {.file = dumps[source].identity.path, .index = tensor},
                               .histograms = reportHistograms()};
            planChoices(planned, consumers, recipes);
            list.push_back(std::move(planned));
        }
    }
    return list;
}

std::string pageOf(const PlannedTensor& planned)
{
    return "tensor/" + planned.fileName + ".html";
}

std::string channelPageOf(const PlannedTensor& planned)
{
    return "channel/" + planned.fileName + ".html";
}

report::ReportedTensor partOf(const PlannedTensor& planned, const protocol::TensorView& view,
                              bool isDark)
{
    report::ReportedTensor part{.source = planned.source, .profile = view.profile};
    const ChartColors colors = isDark ? darkChartColors() : lightChartColors();
    for (const Candidate& candidate : planned.candidates) {
        const auto outcome =
            std::ranges::find(view.outcomes, candidate.recipes.front(),
                              [](const Outcome& found) { return found.choice.recipe; });
        if (outcome == view.outcomes.end())
            continue;
        const SeriesStyle style = candidateStyle(candidate.id, colors);
        part.results.push_back({.label = candidate.label,
                                .recipes = candidate.recipes,
                                .color = style.color.name().toStdString(),
                                .outcome = *outcome,
                                .id = candidate.id});
    }
    return part;
}

void keepScope(std::vector<PlannedTensor>& planned, const std::vector<protocol::DumpOpened>& dumps,
               const ReportOptions& options, EngineCalls& calls)
{
    const TensorFilter filter(options.filter);
    if (!filter.problem().empty())
        throw Error(Fault::Usage, "--filter " + options.filter + ": " + filter.problem());
    if (!filter.ofWindow().empty())
        throw Error(Fault::Usage, "--filter " + options.filter + ": " + filter.ofWindow() +
                                      " is known in the window alone; there its report can be of "
                                      "what the list's filter shows");
    std::set<TensorPlace> named;
    for (const std::string& pattern : options.tensors)
        addNamed(named, dumps, pattern);
    std::erase_if(planned, [&](const PlannedTensor& tensor) {
        return (!options.tensors.empty() &&
                !named.contains({tensor.source, tensor.request.tensor.index})) ||
               !matches(filter, tensor, calls);
    });
}

ReportWriter::ReportWriter(EngineCalls& calls, ReportOptions options, Observer observer)
    : m_calls(calls), m_options(std::move(options)), m_observer(std::move(observer))
{}

report::Report ReportWriter::write()
{
    beginReport();
    Target target{.folder{m_options.folder,
                          m_options.overwrite ? OutputFolder::Existing::Replace
                                              : OutputFolder::Existing::Refuse,
                          mark}};
    makeFolders(target);
    openSources();
    plan();
    writeTensors(target);
    if (hasPictures() && !drawsAll())
        writeWorstPictures(target);
    target.pictures.finish();
    if (m_options.has(report::Format::Pdf))
        target.folder.write("report.pdf", pdf(target).toStdString());
    target.spool.clear();
    if (m_options.has(report::Format::Html)) {
        target.folder.write("index.html", html::page(report::indexPage(m_report)));
        if (m_options.has(report::Content::Ranking))
            target.folder.write("ranking.html", html::page(report::rankingPage(m_report)));
    }
    target.folder.write(mark, report::summaryJson(m_report));
    target.folder.finish();
    return std::move(m_report);
}

void ReportWriter::beginReport()
{
    m_report.recipes = chosenRecipes(m_options);
    for (const std::string& expression : m_options.gates)
        m_report.gates.push_back(parseGate(expression));
    m_report.contents = m_options.contents;
    m_report.isDark = m_options.isDark;
    m_report.limits = m_options.limits;
    m_report.improvements = m_options.improvements;
    m_report.ladders = m_options.ladders;
}

void ReportWriter::makeFolders(const Target& target) const
{
    if (m_options.has(report::Format::Html)) {
        if (m_options.has(report::Content::Tensors))
            target.folder.makeFolder("tensor");
        if (m_options.has(report::Content::Channels))
            target.folder.makeFolder("channel");
    }
    for (const report::Format format : {report::Format::Png, report::Format::Svg})
        if (m_options.has(format) && m_options.has(report::Content::Tensors))
            target.folder.makeFolder(report::formatWord(format));
}

void ReportWriter::plan()
{
    if (m_options.decisions)
        for (Recipe& recipe : m_options.decisions(m_dumps))
            m_report.recipes.push_back(std::move(recipe));
    m_planned = planTensors(m_dumps, m_report.recipes);
    for (PlannedTensor& planned : m_planned) {
        planned.request.tensor.allowExternal = m_options.allowExternal;
        planned.request.channelMetrics =
            m_options.has(report::Format::Csv) && m_options.has(report::Content::Channels);
    }
    const std::size_t all = m_planned.size();
    // Where nothing could be opened, that is reported, not that a tensor is in none of it.
    if (!std::ranges::all_of(m_report.sources,
                             [](const report::Source& source) { return !source.problem.empty(); }))
        keepScope(m_planned, m_dumps, m_options, m_calls);
    m_report.environment = reportEnvironment(m_options, m_report.recipes, m_planned.size(), all);
}

void ReportWriter::openSources()
{
    for (const std::string& path : m_options.files) {
        observe(0, 0, path);
        Answer<protocol::DumpOpened> answer =
            m_calls.open({.path = path, .allowExternal = m_options.allowExternal});
        report::Source source{.identity = {.path = path}, .problem = answer.failure.toStdString()};
        m_dumps.push_back(std::move(answer.value).value_or(protocol::DumpOpened{}));
        if (source.problem.empty()) {
            source.identity = m_dumps.back().identity;
            source.identity.sha256 = digestOf(path);
            source.attributes = m_dumps.back().attributes;
            source.warnings = m_dumps.back().warnings;
        }
        m_report.sources.push_back(std::move(source));
    }
}

std::string ReportWriter::digestOf(const std::string& path)
{
    if (!isFarAway(QString::fromStdString(path)))
        return fileDigest(path, [this] { m_calls.checkStopped(); });
    const Answer<protocol::DigestedFile> answer = m_calls.digest({.path = path});
    return answer.value ? answer.value->identity.sha256 : std::string();
}

void ReportWriter::writeTensors(Target& target)
{
    ReportTables tables(target.folder.path(), m_options, m_report.sources);
    for (std::size_t place = 0; place < m_planned.size(); ++place) {
        observe(place, m_planned.size(), m_planned[place].info.name);
        writeTensor(target, tables, place);
    }
    tables.finish();
}

void ReportWriter::writeTensor(Target& target, ReportTables& tables, std::size_t place)
{
    const PlannedTensor& planned = m_planned[place];
    Answer<protocol::TensorView> answer = read(planned);
    if (!answer.value) {
        m_report.lines.push_back({.source = planned.source,
                                  .info = planned.info,
                                  .problem = answer.failure.toStdString()});
        return;
    }
    report::ReportedTensor part = pagePart(place, *answer.value);
    tables.add(answer.value->outcomes);
    writePages(target, place, part, drawsAll());
    addLine(part);
    if (m_options.has(report::Format::Pdf) || !drawsAll())
        target.spool.put(place, *answer.value);
}

Answer<protocol::TensorView> ReportWriter::read(const PlannedTensor& planned)
{
    if (!planned.info.isReadable())
        return {.failure = QString::fromStdString(planned.info.unreadable.sentence)};
    if (const auto lost = m_lost.find(planned.source); lost != m_lost.end())
        return {.failure = lost->second};
    Answer<protocol::TensorView> answer = m_calls.view(planned.request);
    const std::string& file = planned.request.tensor.file;
    if (answer.engineDied && isFarAway(QString::fromStdString(file))) {
        // Its engine or its machine? That one is not waited for at each of the other tensors.
        const Answer<protocol::DumpOpened> again =
            m_calls.open({.path = file, .allowExternal = m_options.allowExternal});
        if (again.engineDied)
            m_lost[planned.source] = again.failure;
    }
    return answer;
}

report::ReportedTensor ReportWriter::pagePart(std::size_t place,
                                              const protocol::TensorView& view) const
{
    const PlannedTensor& planned = m_planned[place];
    report::ReportedTensor part = partOf(planned, view, m_options.isDark);
    if (!m_options.has(report::Format::Html))
        return part;
    if (m_options.has(report::Content::Tensors)) {
        part.page = pageOf(planned);
        const QString file = QString::fromStdString(m_report.sources[part.source].identity.path);
        part.snippets = report::tensorSnippets(part, pathThere(file).toStdString(),
                                               m_dumps[part.source].tensors);
    }
    if (m_options.has(report::Content::Channels) && !part.profile.channels.empty())
        part.channelPage = channelPageOf(planned);
    return part;
}

void ReportWriter::writePages(Target& target, std::size_t place, report::ReportedTensor& part,
                              bool withPictures) const
{
    const auto neighbour = [this](std::size_t at) -> std::optional<report::Neighbour> {
        if (at >= m_planned.size() || !m_planned[at].info.isReadable())
            return std::nullopt;
        return report::Neighbour{.name = m_planned[at].info.name, .page = pageOf(m_planned[at])};
    };
    if (withPictures && m_options.has(report::Content::Tensors))
        savePictures(target, place, part);
    const report::PageContext context{.source = &m_report.sources[part.source],
                                      .recipes = m_report.recipes,
                                      .previous = neighbour(place - 1),
                                      .next = neighbour(place + 1),
                                      .isDark = m_options.isDark,
                                      .hasStatements = m_options.has(report::Content::Statements)};
    if (!part.page.empty())
        target.folder.write(part.page, html::page(report::tensorPage(part, context)));
    if (!part.channelPage.empty())
        target.folder.write(part.channelPage, html::page(report::channelsPage(part, context)));
}

void ReportWriter::addLine(const report::ReportedTensor& part)
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

void ReportWriter::observe(std::size_t done, std::size_t total, const std::string& what) const
{
    if (m_observer)
        m_observer(done, total, what);
}

ReportTables::Csv::Csv(const std::filesystem::path& path, const std::vector<Column>& columns)
    : output(path.string(), inUnfinishedFolder), table(output.sink(), TableFormat::Csv, columns)
{}

ReportTables::ReportTables(const std::filesystem::path& folder, const ReportOptions& options,
                           std::span<const report::Source> sources)
{
    if (options.has(report::Format::Csv)) {
        m_scales = std::make_unique<Csv>(folder / "scales.csv", scaleColumns());
        if (options.has(report::Content::Channels))
            m_channels = std::make_unique<Csv>(folder / "channels.csv", scaleColumns());
        const auto write = [&folder](const char* name, const std::vector<Column>& columns,
                                     const auto& parts, const auto& rowsOf) {
            if (parts.empty())
                return;
            Csv csv(folder / name, columns);
            for (const auto& part : parts)
                for (const std::vector<Cell>& row : rowsOf(part))
                    csv.table.row(row);
            csv.table.finish();
            csv.output.finish();
        };
        if (options.has(report::Content::Summary)) {
            write("improvements.csv", improvementColumns(), options.improvements, chosenRows);
            write("ladder.csv", ladderColumns(), options.ladders, ladderRows);
        }
    }
    if (!options.has(report::Format::Json))
        return;
    std::vector<FileIdentity> files;
    for (const report::Source& source : sources)
        files.push_back(source.identity);
    m_json = std::make_unique<Output>((folder / "scales.json").string(), inUnfinishedFolder);
    m_json->write(scalesJsonBegin(files));
}

void ReportTables::add(std::span<const Outcome> outcomes)
{
    for (Outcome outcome : outcomes) {
        outcome.choice = withoutStandIn(std::move(outcome.choice));
        if (m_scales)
            for (const std::vector<Cell>& row : scaleRows(outcome, false))
                m_scales->table.row(row);
        if (m_channels && outcome.isPerChannel()) {
            const std::vector<std::vector<Cell>> rows = scaleRows(outcome, true);
            for (std::size_t row = 1; row < rows.size(); ++row)  // the first is of the whole tensor
                m_channels->table.row(rows[row]);
        }
        if (!m_json || !outcome.problem.empty())
            continue;
        m_json->write((m_isFirst ? "\n" : ",\n") + outcomeJson(outcome, false, false));
        m_isFirst = false;
        m_totals.add(outcome);
    }
}

void ReportTables::finish()
{
    for (Csv* csv : {m_scales.get(), m_channels.get()}) {
        if (csv == nullptr)
            continue;
        csv->table.finish();
        csv->output.finish();
    }
    if (m_json) {
        m_json->write("\n" + scalesJsonEnd(m_totals) + "\n");
        m_json->finish();
    }
}

bool ReportWriter::hasPictures() const
{
    return m_options.has(report::Content::Tensors) &&
           (m_options.has(report::Format::Html) || m_options.has(report::Format::Png) ||
            m_options.has(report::Format::Svg));
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
        report::Picture& picture = part.pictures.emplace_back();
        if (m_options.has(report::Format::Html))
            picture.drawing =
                renderInline(*plot.content, {.size = {settings.size.width(), plot.height},
                                             .isDark = settings.isDark})
                    .toStdString();
        for (const report::Format format : {report::Format::Png, report::Format::Svg}) {
            if (!m_options.has(format))
                continue;
            const std::string folder(report::formatWord(format));
            picture.files.push_back(folder + "/" + m_planned[place].fileName + "-" + plot.word +
                                    "." + folder);
            target.pictures.save(
                plot.content, settings,
                QFile::decodeName((target.folder.path() / picture.files.back()).c_str()));
        }
    }
}

}  // namespace calibscope
