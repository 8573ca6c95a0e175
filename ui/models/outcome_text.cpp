#include "ui/models/outcome_text.h"

#include "core/calibrators/calibrator.h"
#include "ui/theme/translate.h"

#include <algorithm>

namespace calibscope {

namespace {

QString fromWord(std::string_view word)
{
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

}  // namespace

QStringList settingLines(const Choice& choice)
{
    QStringList lines;
    for (const Parameter& parameter : calibrator(choice.calibrator).parameters) {
        QString line = QString::fromStdString(parameter.label + ": " +
                                              shortValue(choice.settings.text(parameter.id)));
        if (!parameter.unit.empty())
            line += u' ' + QString::fromStdString(parameter.unit);
        lines += line;
    }
    lines +=
        tr("Scheme: %1, %2 bits")
            .arg(fromWord(schemeText(choice.scheme.kind)), QString::number(choice.scheme.bits));
    lines += tr("Scales per: %1").arg(fromWord(granularityText(choice.granularity)));
    return lines;
}

QStringList noteLines(const OutcomeRow& row)
{
    const std::string& ofChoice = row.candidate.choice.note;
    if (!row.outcome)
        return ofChoice.empty() ? QStringList{} : QStringList{QString::fromStdString(ofChoice)};
    QStringList lines;
    if (!row.outcome->problem.empty())
        lines += QString::fromStdString(row.outcome->problem);
    // The same threshold without where it is from may have been computed before.
    const bool isImported = row.origin == OutcomeRow::Origin::Imported;
    if (isImported &&
        std::ranges::find(row.outcome->whole.notes, ofChoice) == row.outcome->whole.notes.end())
        lines += QString::fromStdString(ofChoice);
    for (const std::string& note : row.outcome->whole.notes)
        lines += QString::fromStdString(note);
    if (row.hasResult() && !row.outcome->whole.isExact)
        lines += tr("scale estimated from the sketch");
    if (row.hasResult() && !row.outcome->whole.hasExactMetrics)
        lines += tr("SQNR and errors estimated from the sketch");
    return lines;
}

}  // namespace calibscope
