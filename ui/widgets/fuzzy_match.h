#pragma once

#include <QString>
#include <QStringView>

#include <optional>

namespace calibscope {

/// How well a text answers a few typed letters; higher is better, nothing: not at all.
///
/// Words of the query may stand in any order. Each must be part of the text or, else, its letters
/// follow each other in it with gaps. Whole parts, starts of words and short texts are better. Both
/// are to be in lower case.
[[nodiscard]] std::optional<int> fuzzyScore(QStringView query, QStringView text);

}  // namespace calibscope
