// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/filter_examples.h"

#include "ui/widgets/tensor_delegates.h"

#include <QCoreApplication>
#include <QMenu>

#include <array>

namespace calibscope {

namespace {

constexpr std::array examples = {
    FilterExample{"conv", QT_TRANSLATE_NOOP("FilterExamples", "the name contains \"conv\"")},
    FilterExample{"role:weight", QT_TRANSLATE_NOOP("FilterExamples", "weights; or activation")},
    FilterExample{"op:Conv",
                  QT_TRANSLATE_NOOP("FilterExamples", "produced or used by that operation")},
    FilterExample{"type:float16", QT_TRANSLATE_NOOP("FilterExamples", "stored or read as float16")},
    FilterExample{"sqnr<30", QT_TRANSLATE_NOOP("FilterExamples", "below 30 dB under the recipe")},
    FilterExample{"nan>0", QT_TRANSLATE_NOOP("FilterExamples", "contains NaN; also inf>0")},
    FilterExample{"zeros>50", QT_TRANSLATE_NOOP("FilterExamples", "more than half are zero")},
    FilterExample{"values>1e6", QT_TRANSLATE_NOOP("FilterExamples", "more than a million values")},
    FilterExample{"max>6 min<0",
                  QT_TRANSLATE_NOOP("FilterExamples", "both apply: terms are separated by spaces")},
    FilterExample{
        "is:clipping-bound",
        QT_TRANSLATE_NOOP("FilterExamples", "by the diagnosis; also diagnosis:heavy-tail")},
    FilterExample{"gain>3",
                  QT_TRANSLATE_NOOP("FilterExamples", "another calibrator gains more than 3 dB")},
    FilterExample{"is:flagged", QT_TRANSLATE_NOOP("FilterExamples", "has a warning")},
    FilterExample{"is:guess",
                  QT_TRANSLATE_NOOP("FilterExamples", "role or axes are guessed; also is:edited")},
    FilterExample{"accepted:no", QT_TRANSLATE_NOOP("FilterExamples", "not accepted yet; or yes")},
    FilterExample{"accepted:entropy",
                  QT_TRANSLATE_NOOP("FilterExamples", "accepted with that in its name")},
    FilterExample{"accepted<30",
                  QT_TRANSLATE_NOOP("FilterExamples", "what was accepted is below 30 dB")},
    FilterExample{"delta<0", QT_TRANSLATE_NOOP("FilterExamples",
                                               "what was accepted is worse than the recipe's")},
    FilterExample{"is:unreadable", QT_TRANSLATE_NOOP("FilterExamples", "can't be read")},
    FilterExample{"-is:excluded", QT_TRANSLATE_NOOP("FilterExamples", "a leading - negates it")},
};

}  // namespace

std::span<const FilterExample> filterExamples()
{
    return examples;
}

void addFilterExamples(QMenu& menu)
{
    for (const FilterExample& example : examples) {
        const QString query = QString::fromLatin1(example.query);
        const QString meaning = QCoreApplication::translate("FilterExamples", example.meaning);
        QAction* action = menu.addAction(query + u'\t' + meaning);
        action->setData(query);
        action->setStatusTip(meaning);
    }
}

void addFlagLegend(QMenu& menu, const ChartColors& colors)
{
    for (const FlagKind& kind : flagKinds()) {
        const QString query = QStringLiteral("flag:") + QLatin1StringView(kind.word);
        QAction* action = menu.addAction(flagIcon(kind, colors), flagMeaning(kind) + u'\t' + query);
        action->setData(query);
        action->setStatusTip(flagMeaning(kind));
    }
}

}  // namespace calibscope
