#include "ui/widgets/fuzzy_match.h"

#include <algorithm>

namespace calibscope {

namespace {

constexpr int wholePart = 1000;
constexpr int wordStart = 200;
constexpr int atOnce = 20;  ///< for a letter that follows the one before it
constexpr int letterAtStart = 30;

bool startsWord(QStringView text, qsizetype place)
{
    if (place == 0)
        return true;
    const QChar before = text[place - 1];
    return !before.isLetterOrNumber() || (before.isDigit() != text[place].isDigit());
}

/// The best place of a part: a start of a word if there is one.
std::optional<int> partScore(QStringView word, QStringView text)
{
    std::optional<int> best;
    for (qsizetype place = text.indexOf(word); place >= 0; place = text.indexOf(word, place + 1)) {
        const int score = wholePart + (startsWord(text, place) ? wordStart : 0) -
                          static_cast<int>(std::min<qsizetype>(place, 100));
        best = std::max(best.value_or(score), score);
        if (startsWord(text, place))
            break;
    }
    return best;
}

std::optional<int> lettersScore(QStringView word, QStringView text)
{
    int score = 0;
    qsizetype place = -1;
    for (const QChar letter : word) {
        const qsizetype next = text.indexOf(letter, place + 1);
        if (next < 0)
            return std::nullopt;
        score +=
            next == place + 1 ? atOnce : -static_cast<int>(std::min<qsizetype>(next - place, 10));
        score += startsWord(text, next) ? letterAtStart : 0;
        place = next;
    }
    return score;
}

}  // namespace

std::optional<int> fuzzyScore(QStringView query, QStringView text)
{
    int score = -static_cast<int>(std::min<qsizetype>(text.size(), 200));
    for (const QStringView word : query.split(u' ', Qt::SkipEmptyParts)) {
        std::optional<int> found = partScore(word, text);
        if (!found)
            found = lettersScore(word, text);
        if (!found)
            return std::nullopt;
        score += *found;
    }
    return score;
}

}  // namespace calibscope
