#include "core/report/html/index_warnings.h"

#include "core/report/html/html.h"
#include "core/report/html/tensor_link.h"

#include <algorithm>

namespace calibscope::report {

namespace {

/// Sentences in the order in which they came up, each told once, with its tensors.
class Warnings
{
public:
    explicit Warnings(const Report& report) : m_report(report) {}

    /// `line`: nullptr for a sentence that is about no tensor.
    void add(const std::string& sentence, const TensorLine* line = nullptr)
    {
        auto found = std::ranges::find(m_entries, sentence, &Entry::sentence);
        if (found == m_entries.end())
            found = m_entries.insert(m_entries.end(), {sentence, {}});
        if (line != nullptr && (found->lines.empty() || found->lines.back() != line))
            found->lines.push_back(line);
    }

    [[nodiscard]] std::string html() const
    {
        std::vector<std::string> items;
        for (const Entry& entry : m_entries)
            items.push_back(html::escaped(entry.sentence) + tensors(entry.lines));
        return html::list(items);
    }

private:
    struct Entry
    {
        std::string sentence;
        std::vector<const TensorLine*> lines;
    };

    /// Links; long lists are folded.
    [[nodiscard]] std::string tensors(const std::vector<const TensorLine*>& lines) const
    {
        constexpr std::size_t mostUnfolded = 8;
        std::string links;
        for (const TensorLine* line : lines)
            links += (links.empty() ? "" : ", ") + tensorLink(m_report, *line);
        if (lines.size() > mostUnfolded)
            return "<details><summary>" + html::count(lines.size()) + " tensors</summary>" + links +
                   "</details>";
        return links.empty() ? links : "<br><small>" + links + "</small>";
    }

    const Report& m_report;
    std::vector<Entry> m_entries;
};

void addData(Warnings& warnings, const TensorLine& line)
{
    const Extents& extents = line.extents;
    if (extents.nan + extents.infinite() > 0)
        warnings.add("Holds NaN or infinities, which are left out.", &line);
    if (extents.finite == 0)
        warnings.add("Holds no finite value.", &line);
    else if (extents.zeros == extents.finite)
        warnings.add("All values are zero.", &line);
    else if (extents.min == extents.max)
        warnings.add("All values are the same.", &line);
    if (line.info.isGuess)
        warnings.add("Role and axes are guessed (" + line.info.layoutRule + ").", &line);
}

void addNotes(Warnings& warnings, const TensorLine& line)
{
    for (const ResultLine& result : line.results)
        for (const std::string& note : result.notes)
            warnings.add(result.label + ": " + note, &line);
}

}  // namespace

std::string problems(const Report& report)
{
    Warnings problems(report);
    for (const Source& source : report.sources)
        if (!source.problem.empty())
            problems.add(source.problem);
    for (const TensorLine& line : report.lines) {
        if (!line.problem.empty())
            problems.add(line.problem, &line);
        for (const ResultLine& result : line.results)
            if (!result.problem.empty())
                problems.add(result.label + ": no result: " + result.problem, &line);
    }
    return problems.html();
}

std::string warnings(const Report& report)
{
    Warnings warnings(report);
    for (const Source& source : report.sources)
        for (const std::string& sentence : source.warnings)
            warnings.add(source.identity.path + ": " + sentence);
    for (const TensorLine& line : report.lines)
        if (line.problem.empty())
            addData(warnings, line);
    for (const TensorLine& line : report.lines)
        addNotes(warnings, line);
    return warnings.html();
}

}  // namespace calibscope::report
