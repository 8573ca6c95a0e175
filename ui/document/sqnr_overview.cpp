// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/sqnr_overview.h"

#include "ui/document/decisions.h"
#include "ui/document/document.h"
#include "ui/document/edits.h"
#include "ui/document/outcome_rows.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/translate.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <utility>

namespace calibscope {

namespace {

/// Whether an SQNR is asked of it, if it can be read.
bool isCounted(const Document& document, int tensor)
{
    const TensorInfo& info = document.tensors()[static_cast<std::size_t>(tensor)];
    return info.role != Role::Bias && !info.isBeside && !edits::isExcluded(document, tensor);
}

bool isBelow(const OverviewEntry& entry, double limitDb)
{
    return entry.sqnrDb && !(*entry.sqnrDb >= limitDb);
}

/// "all softmax or swish", "most softmax", empty where they have little in common.
QString kindsOf(const Document& document, const std::vector<int>& tensors)
{
    std::map<QString, std::size_t> counts;
    for (const int tensor : tensors)
        ++counts[kindWord(document.tensors()[static_cast<std::size_t>(tensor)])];
    if (counts.contains(QString()))
        return {};
    std::vector<std::pair<QString, std::size_t>> kinds(counts.begin(), counts.end());
    std::ranges::stable_sort(kinds, std::ranges::greater{},
                             &std::pair<QString, std::size_t>::second);
    if (tensors.size() == 1)
        return tr("a %1").arg(kinds[0].first);
    if (kinds.size() == 1)
        return tr("all %1").arg(kinds[0].first);
    if (kinds.size() == 2)
        return tr("all %1 or %2").arg(kinds[0].first, kinds[1].first);
    if (2 * kinds[0].second > tensors.size())
        return tr("most of them %1").arg(kinds[0].first);
    return {};
}

/// What the errors of these are made of.
QString causeOf(const Document& document, const std::vector<int>& tensors)
{
    std::size_t rounding = 0;
    std::size_t clipping = 0;
    for (const int tensor : tensors) {
        const protocol::Preview* known = document.previews().of(tensor);
        const std::optional<double> decided = document.previews().sqnrOfDecision(tensor);
        if (!known || (decided && decided != known->sqnrDb) || isSignalOfOneValue(known->extents))
            continue;  // the diagnosis is of the recipe's choice, and of all values
        const auto has = [known](FindingKind kind) {
            return std::ranges::find(known->findings, kind, &TensorFinding::kind) !=
                   known->findings.end();
        };
        rounding += has(FindingKind::RoundingBound) ? 1U : 0U;
        clipping += has(FindingKind::ClippingBound) ? 1U : 0U;
    }
    if (rounding == tensors.size())
        return tr("rounding, not clipping");
    if (clipping == tensors.size())
        return tr("clipping, not rounding");
    QStringList parts;
    if (rounding > 0)
        parts += tr("rounding in %1").arg(countLabel(rounding));
    if (clipping > 0)
        parts += tr("clipping in %1").arg(countLabel(clipping));
    return parts.join(QStringLiteral(", "));
}

}  // namespace

QString kindWord(const TensorInfo& tensor)
{
    // "softmax_10", "conv2d_7", "batch_norm_3": a layer's name and its number.
    static const QRegularExpression numbered(
        QStringLiteral("(?:^|[./])([A-Za-z]{2,}(?:_[A-Za-z]+)*(?:[1-3]d)?)_[0-9]+(?=[./]|$)"));
    const QRegularExpressionMatch match = numbered.match(QString::fromStdString(tensor.name));
    if (match.hasMatch() && match.captured(1) != QStringLiteral("tmp"))
        return match.captured(1);
    return QString::fromStdString(tensor.op);
}

bool isSignalOfOneValue(const Extents& extents)
{
    constexpr double leastShare = 0.99;
    const double one = extents.absMax() * extents.absMax();
    const double othersAtMost =
        static_cast<double>(extents.finite - 1) * extents.absSecond * extents.absSecond;
    return extents.hasLoneMaximum() && one * (1.0 - leastShare) >= othersAtMost * leastShare;
}

SqnrOverview sqnrOverview(const Document& document, double limitDb)
{
    SqnrOverview overview;
    const auto taken = document.previews().shared();
    const int count = static_cast<int>(document.tensors().size());
    for (const Role role : {Role::Activation, Role::Weight, Role::Unknown})
        for (int tensor = 0; tensor < count; ++tensor) {
            if (document.tensors()[static_cast<std::size_t>(tensor)].role != role ||
                !isCounted(document, tensor))
                continue;
            if (!document.tensors()[static_cast<std::size_t>(tensor)].isReadable()) {
                ++overview.failed;
                continue;
            }
            const protocol::Preview* known = document.previews().of(tensor);
            OverviewEntry entry{.tensor = tensor,
                                .role = role,
                                .sqnrDb = known ? known->sqnrDb : std::nullopt,
                                .isFailed = taken->problems.contains(tensor)};
            if (const std::optional<double> decided = document.previews().sqnrOfDecision(tensor);
                decided && decided != entry.sqnrDb)
                entry.recipeDb = std::exchange(entry.sqnrDb, decided);
            entry.isOfOneValue = known && entry.sqnrDb && !isBelow(entry, limitDb) &&
                                 isSignalOfOneValue(known->extents);
            overview.ofOneValue += entry.isOfOneValue ? 1U : 0U;
            overview.known += entry.sqnrDb ? 1U : 0U;
            overview.waiting += known || entry.isFailed ? 0U : 1U;
            overview.below += isBelow(entry, limitDb) ? 1U : 0U;
            overview.failed += entry.isFailed ? 1U : 0U;
            overview.entries.push_back(entry);
        }
    overview.uncounted =
        static_cast<std::size_t>(count) -
        static_cast<std::size_t>(std::ranges::count_if(
            std::views::iota(0, count), [&](int tensor) { return isCounted(document, tensor); }));
    return overview;
}

namespace {

/// About those that were read and have none.
QString withoutSqnr(const Document& document, const SqnrOverview& overview)
{
    std::vector<int> leftOut;
    std::size_t others = 0;
    for (const OverviewEntry& entry : overview.entries) {
        if (entry.sqnrDb || entry.isFailed || !document.previews().of(entry.tensor))
            continue;
        if (isLeftOutByRecipe(document, entry.tensor))
            leftOut.push_back(entry.tensor);
        else
            ++others;
    }
    QString sentences;
    if (!leftOut.empty())
        sentences += u' ' + leftOutSentence(document, leftOut);
    if (others > 0)
        sentences +=
            u' ' + countText(others, tr("1 has no SQNR: integers, or no finite value but 0."),
                             tr("%1 have no SQNR: integers, or no finite value but 0."));
    return sentences;
}

/// About those whose SQNR is that of a single value, the first ones by name.
QString ofOneValue(const Document& document, const SqnrOverview& overview)
{
    constexpr qsizetype mostNames = 3;
    QStringList names;
    for (const OverviewEntry& entry : overview.entries)
        if (entry.isOfOneValue && names.size() < mostNames)
            names += tr("%1 (%2)").arg(
                QString::fromStdString(
                    document.tensors()[static_cast<std::size_t>(entry.tensor)].name),
                valueLabel(document.previews().of(entry.tensor)->extents.absMax(), 3));
    if (names.isEmpty())
        return {};
    const std::size_t more = overview.ofOneValue - static_cast<std::size_t>(names.size());
    const QString who = names.join(QStringLiteral(", ")) +
                        (more > 0 ? tr(" and %1 more").arg(countLabel(more)) : QString());
    return u' ' + (overview.ofOneValue == 1
                       ? tr("One value alone makes the signal of %1: its SQNR says nothing of the "
                            "other values.")
                       : tr("One value alone makes the signal of each of %1: their SQNR says "
                            "nothing of the other values."))
                      .arg(who);
}

}  // namespace

QString overviewSentence(const Document& document, const SqnrOverview& overview, double limitDb)
{
    const QString limit = tr("%1 dB").arg(valueLabel(limitDb, 3));
    const QString failed = overview.failed > 0
                               ? u' ' + tr("%1 can't be read.").arg(countLabel(overview.failed))
                               : QString();
    if (overview.known == 0 && recipeCoversNone(document))
        return tr("The recipe %1 covers none of these tensors.")
            .arg(QString::fromStdString(document.chosenRecipe().title));
    if (overview.known == 0)
        return overview.waiting > 0 ? tr("Reading the tensors...")
                                    : tr("No tensor has an SQNR under the chosen recipe.") +
                                          failed + withoutSqnr(document, overview);
    std::vector<int> below;
    for (const OverviewEntry& entry : overview.entries)
        if (isBelow(entry, limitDb))
            below.push_back(entry.tensor);
    const QString of = countLabel(overview.known);
    QString sentence;
    if (const std::size_t reaching = overview.known - overview.ofOneValue; below.empty()) {
        sentence = reaching == 0 ? tr("None reaches %1 but by one value.").arg(limit)
                   : overview.ofOneValue > 0
                       ? countText(reaching, tr("1 of %2 reaches %3."), tr("%1 of %2 reach %3."))
                             .arg(of, limit)
                   : overview.failed > 0
                       ? tr("%1 that could be read reach %2.").arg(of, limit)
                       : countText(overview.known, tr("The tensor reaches %1.").arg(limit),
                                   tr("All %1 reach %2.").arg(QStringLiteral("%1"), limit));
    } else {
        sentence = below.size() == 1
                       ? tr("1 of %1 is below %2").arg(of, limit)
                       : tr("%1 of %2 are below %3").arg(countLabel(below.size()), of, limit);
        if (const QString kinds = kindsOf(document, below); !kinds.isEmpty())
            sentence += QStringLiteral(", ") + kinds;
        if (const QString cause = causeOf(document, below); !cause.isEmpty())
            sentence += QStringLiteral(": ") + cause;
        sentence += u'.';
    }
    sentence += ofOneValue(document, overview) + failed + withoutSqnr(document, overview);
    if (overview.waiting > 0)
        sentence += tr(" %1 still to be read.").arg(countLabel(overview.waiting));
    return sentence;
}

namespace {

/// The most frequent of the chosen recipe's choices for some tensors of that role.
QString choiceWords(const Document& document, Role role)
{
    constexpr std::size_t most = 200;
    std::map<QString, std::size_t> counts;
    std::size_t asked = 0;
    for (int tensor = 0; tensor < std::ssize(document.tensors()) && asked < most; ++tensor) {
        const TensorInfo& info = document.tensors()[static_cast<std::size_t>(tensor)];
        if (info.role != role || !isDecidable(info))
            continue;
        ++asked;
        if (const std::optional<Choice> choice = recipesChoice(document, tensor))
            ++counts[QString::fromStdString(shortLabel(*choice))];
    }
    const auto usual =
        std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
    return usual == counts.end() ? QString()
           : counts.size() == 1  ? usual->first
                                 : tr("mostly %1").arg(usual->first);
}

}  // namespace

QString recipeWords(const Document& document)
{
    QStringList words;
    for (const auto& [role, text] :
         {std::pair{Role::Activation, QStringLiteral("%1")},
          std::pair{Role::Weight, tr("weights %1")}, std::pair{Role::Unknown, tr("others %1")}})
        if (const QString choice = choiceWords(document, role); !choice.isEmpty())
            words += text.arg(choice);
    return words.join(QStringLiteral("; "));
}

bool recipeCoversNone(const Document& document)
{
    bool isAsked = false;
    for (int tensor = 0; tensor < std::ssize(document.tensors()); ++tensor) {
        if (!isDecidable(document.tensors()[static_cast<std::size_t>(tensor)]))
            continue;
        if (recipesChoice(document, tensor))
            return false;
        isAsked = true;
    }
    return isAsked;
}

DecisionOverview decisionOverview(const Document& document)
{
    DecisionOverview overview{.decided = decidedCount(document),
                              .decidable = decidableCount(document)};
    if (overview.decided == 0)
        return overview;
    for (int tensor = 0; tensor < std::ssize(document.tensors()); ++tensor) {
        const std::optional<double> decided = document.previews().sqnrOfDecision(tensor);
        const protocol::Preview* preview = document.previews().of(tensor);
        const std::optional<double> recipes = preview ? preview->sqnrDb : std::nullopt;
        if (!decided || !recipes || !std::isfinite(*decided) || !std::isfinite(*recipes) ||
            isSignalOfOneValue(preview->extents))
            continue;
        const bool isFirst = overview.known++ == 0;
        overview.meanDb += *decided;
        overview.recipeMeanDb += *recipes;
        overview.worstDb = isFirst ? *decided : std::min(overview.worstDb, *decided);
        overview.recipeWorstDb = isFirst ? *recipes : std::min(overview.recipeWorstDb, *recipes);
    }
    if (overview.known > 0) {
        overview.meanDb /= static_cast<double>(overview.known);
        overview.recipeMeanDb /= static_cast<double>(overview.known);
    }
    return overview;
}

}  // namespace calibscope
