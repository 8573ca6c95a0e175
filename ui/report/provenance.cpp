#include "ui/report/provenance.h"

#include <QSysInfo>

namespace calibscope {

namespace {

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

QString provenanceLine(const report::Source& source, const TensorInfo& tensor)
{
    constexpr qsizetype shownDigits = 12;
    QString line = QString::fromStdString(report::fileName(source));
    if (!source.identity.sha256.empty())
        line += QStringLiteral("   SHA-256 ") +
                QString::fromStdString(source.identity.sha256).left(shownDigits);
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
