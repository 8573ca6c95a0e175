// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/outcome_text.h"

#include "core/calibrators/calibrator.h"
#include "core/stats/growth_rule.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <cmath>

namespace calibscope {

namespace {

QString fromWord(std::string_view word)
{
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

QString growthWords(std::string_view growth)
{
    QString title = fromWord(growthRule(growth).title);
    title[0] = title[0].toLower();
    return title;
}

/// As many levels as a word asks for; 0: it is another word.
int levelsOf(const Scheme& scheme, const std::string& word)
{
    if (word == "qmax")
        return (1 << (scheme.bits - 1)) - 1;
    if (word == "2^b-1")
        return (1 << scheme.bits) - 1;
    return word == "2^(b-1)" ? 1 << (scheme.bits - 1) : 0;
}

}  // namespace

QString wordMeaning(const Choice& choice, const Parameter& parameter, const std::string& word)
{
    if (parameter.id == "growth")
        return growthWords(word);
    if (parameter.id == "levels")
        return levelsOf(choice.scheme, word) > 0 ? QString::number(levelsOf(choice.scheme, word))
                                                 : QString();
    if (parameter.id == "first-candidate" && word == "levels") {
        const std::string levels = choice.settings.text("levels");
        const int counted = levelsOf(choice.scheme, levels);
        return tr("%1 bins").arg(counted > 0 ? QString::number(counted)
                                             : QString::fromStdString(levels));
    }
    if (parameter.id == "last-candidate")
        return word == "max" ? tr("bin of the largest |x|") : tr("last bin");
    return {};
}

QString histogramWords(const HistogramSpec& histogram)
{
    return tr("%1 bins of %2, %3")
        .arg(QString::number(histogram.bins),
             histogram.domain == Domain::Magnitude ? QStringLiteral("|x|") : QStringLiteral("x"),
             growthWords(histogram.growth));
}

QStringList settingLines(const Choice& choice)
{
    QStringList lines;
    for (const Parameter& parameter : calibrator(choice.calibrator).parameters) {
        const std::string value = choice.settings.text(parameter.id);
        const bool isWord = std::ranges::find(parameter.words, value) != parameter.words.end();
        const QString meaning = isWord ? wordMeaning(choice, parameter, value) : QString();
        QString line = QStringLiteral("%1: %2").arg(
            QString::fromStdString(parameter.label),
            meaning.isEmpty() ? QString::fromStdString(shortValue(value)) : meaning);
        if (!parameter.unit.empty() && !isWord)
            line += u' ' + QString::fromStdString(parameter.unit);
        lines += line;
    }
    lines +=
        tr("Scheme: %1, %2 bits")
            .arg(fromWord(schemeText(choice.scheme.kind)), QString::number(choice.scheme.bits));
    lines += tr("Scales per: %1").arg(fromWord(choice.granularity.text()));
    return lines;
}

QString dbGainText(const OutcomeRow& other, const OutcomeRow& row)
{
    const std::optional<double> db = dbAgainst(other, row);
    if (!db)
        return {};
    const bool isExact = row.outcome->whole.hasExactMetrics && !row.isEstimate &&
                         other.outcome->whole.hasExactMetrics && !other.isEstimate;
    return tr("%1%2%3 dB")
        .arg(isExact ? QString() : QStringLiteral("≈"), *db > 0.0 ? QStringLiteral("+") : QString(),
             std::isfinite(*db) ? fixedLabel(*db, 2) : valueLabel(*db));
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
