// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/card_order.h"

#include "ui/models/result_columns.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace calibscope {

QString sqnrFigure(const OutcomeRow& row)
{
    if (row.isPending && !row.isEstimate)
        return QStringLiteral("…");
    if (!row.hasResult())
        return QStringLiteral("–");
    const QString sqnr = resultText(resultColumn("sqnr_db"), row.outcome->whole);
    return sqnr.isEmpty() ? QStringLiteral("–") : tr("%1 dB").arg(sqnr);
}

std::vector<bool> bestRows(const std::vector<OutcomeRow>& rows)
{
    double best = -std::numeric_limits<double>::infinity();
    double least = std::numeric_limits<double>::infinity();
    QString bestFigure;
    QString leastFigure;
    for (const OutcomeRow& row : rows) {
        const std::optional<double> db =
            row.hasResult() ? row.outcome->whole.metric("sqnr_db") : std::nullopt;
        if (!db || row.isOfOneValue)
            continue;
        if (*db >= best) {
            best = *db;
            bestFigure = sqnrFigure(row);
        }
        if (*db <= least) {
            least = *db;
            leastFigure = sqnrFigure(row);
        }
    }
    std::vector<bool> isBest(rows.size());
    for (std::size_t place = 0; place < rows.size(); ++place)
        isBest[place] = bestFigure != leastFigure && sqnrFigure(rows[place]) == bestFigure;
    return isBest;
}

std::vector<bool> soughtRows(const std::vector<OutcomeRow>& rows)
{
    const std::vector<bool> isBest = bestRows(rows);
    const bool isComputed = std::ranges::none_of(rows, &OutcomeRow::isPending);
    std::vector<bool> isSought(rows.size());
    bool hasBest = false;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const bool isFirstBest = isComputed && isBest[place] && !hasBest;
        hasBest = hasBest || isFirstBest;
        isSought[place] = rows[place].isChosenRecipes || isFirstBest ||
                          rows[place].origin == OutcomeRow::Origin::Manual;
    }
    return isSought;
}

std::vector<std::size_t> cardOrder(const std::vector<OutcomeRow>& rows)
{
    const std::vector<bool> isSought = soughtRows(rows);
    std::vector<std::size_t> order;
    for (const bool wanted : {true, false})
        for (std::size_t place = 0; place < isSought.size(); ++place)
            if (isSought[place] == wanted)
                order.push_back(place);
    return order;
}

}  // namespace calibscope
