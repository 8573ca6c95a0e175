// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/tensor_filter.h"

#include "core/base/number_text.h"
#include "ui/models/tensor_flags.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace calibscope {

namespace {

using Number = std::optional<double> (*)(const FilterRow&);

struct NumberKey
{
    std::string_view id;
    bool needsPreview;
    Number value;
};

template <typename Field>
std::optional<double> ofExtents(const FilterRow& row, Field field)
{
    if (!row.preview)
        return std::nullopt;
    return static_cast<double>(field(row.preview->extents));
}

constexpr std::array numberKeys = {
    NumberKey{"sqnr", true,
              [](const FilterRow& row) {
                  return row.isDecided || !row.preview ? row.decidedDb : row.preview->sqnrDb;
              }},
    NumberKey{"nan", true,
              [](const FilterRow& row) {
                  return ofExtents(row, [](const Extents& e) { return e.nan; });
              }},
    NumberKey{"inf", true,
              [](const FilterRow& row) {
                  return ofExtents(row, [](const Extents& e) { return e.infinite(); });
              }},
    NumberKey{"zeros", true,
              [](const FilterRow& row) {
                  return ofExtents(row, [](const Extents& e) {
                      const double values = static_cast<double>(e.values());
                      return values > 0.0 ? 100.0 * static_cast<double>(e.zeros) / values : 0.0;
                  });
              }},
    NumberKey{"min", true,
              [](const FilterRow& row) {
                  return ofExtents(row, [](const Extents& e) { return e.min; });
              }},
    NumberKey{"max", true,
              [](const FilterRow& row) {
                  return ofExtents(row, [](const Extents& e) { return e.max; });
              }},
    NumberKey{"gain", true, [](const FilterRow& row) { return row.gainDb; }},
    NumberKey{"values", false,
              [](const FilterRow& row) {
                  return std::optional(static_cast<double>(row.tensor.valueCount()));
              }},
    NumberKey{"accepted", true, [](const FilterRow& row) { return row.decidedDb; }},
    NumberKey{"delta", true,
              [](const FilterRow& row) {
                  return row.decidedDb && row.preview && row.preview->sqnrDb
                             ? std::optional(*row.decidedDb - *row.preview->sqnrDb)
                             : std::nullopt;
              }},
};

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char letter) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    });
    return result;
}

/// Blanks part terms, but not between quotation marks; the marks are dropped.
std::vector<std::string> split(std::string_view query)
{
    std::vector<std::string> terms(1);
    bool isQuoted = false;
    for (const char letter : query) {
        if (letter == '"')
            isQuoted = !isQuoted;
        else if (letter == ' ' && !isQuoted)
            terms.emplace_back();
        else
            terms.back() += letter;
    }
    std::erase(terms, "");
    return terms;
}

/// "sqnr < 30" is one term.
std::vector<std::string> withComparisonsJoined(const std::vector<std::string>& terms)
{
    constexpr std::string_view signs = "<>=";
    const auto endsWithSign = [&](const std::string& text) {
        return signs.find(text.back()) != std::string_view::npos;
    };
    const auto isNumberKey = [&](std::string text) {
        text = lowered(text.substr(text.starts_with('-') ? 1 : 0));
        text.erase(std::min(text.find_first_of(signs), text.size()));
        return std::ranges::find(numberKeys, text, &NumberKey::id) != numberKeys.end();
    };
    std::vector<std::string> joined;
    for (const std::string& term : terms) {
        const bool beginsWithSign = signs.find(term.front()) != std::string_view::npos;
        if (!joined.empty() && isNumberKey(joined.back()) &&
            (endsWithSign(joined.back()) ||
             (beginsWithSign && joined.back().find_first_of(signs) == std::string::npos)))
            joined.back() += term;
        else
            joined.push_back(term);
    }
    return joined;
}

bool compare(double left, std::string_view sign, double right)
{
    if (sign == "<")
        return left < right;
    if (sign == "<=")
        return left <= right;
    if (sign == ">")
        return left > right;
    return sign == ">=" ? left >= right : left == right;
}

bool hasFinding(const FilterRow& row, FindingKind kind)
{
    return row.preview && std::ranges::find(row.preview->findings, kind, &TensorFinding::kind) !=
                              row.preview->findings.end();
}

std::string knownNumbers()
{
    std::string known;
    for (const NumberKey& key : numberKeys)
        known += (known.empty() ? "" : ", ") + std::string(key.id);
    return known;
}

}  // namespace

TensorFilter::TensorFilter(std::string_view query)
{
    for (const std::string& term : withComparisonsJoined(split(query)))
        addTerm(term);
    // Nobody decides on a bias: its scale follows from those of its layer.
    if (m_listsUndecided && !m_namesRole)
        m_terms.push_back([](const FilterRow& row) { return row.tensor.role != Role::Bias; });
}

bool TensorFilter::matches(const FilterRow& row) const
{
    return std::ranges::all_of(m_terms, [&](const Term& term) { return term(row); });
}

void TensorFilter::addTerm(std::string_view text)
{
    if (Term term = parseTerm(text))
        m_terms.push_back(std::move(term));
}

TensorFilter::Term TensorFilter::parseTerm(std::string_view text)
{
    const bool isNegated = text.size() > 1 && text.front() == '-';
    const std::string_view body = isNegated ? text.substr(1) : text;

    const std::size_t signAt = body.find_first_of("<>=");
    if (signAt != std::string_view::npos && signAt > 0) {
        const std::size_t valueAt = body.find_first_not_of("<>=", signAt);
        const std::string_view value =
            valueAt == std::string_view::npos ? std::string_view() : body.substr(valueAt);
        return parseComparison(body.substr(0, signAt),
                               body.substr(signAt, body.size() - signAt - value.size()), value,
                               isNegated);
    }
    Term term;
    const std::size_t colon = body.find(':');
    const std::string key = lowered(body.substr(0, colon));
    if (colon != std::string_view::npos &&
        (key == "role" || key == "kind" || key == "op" || key == "type" || key == "rule" ||
         key == "is" || key == "accepted" || key == "decided" || key == "flag" ||
         key == "diagnosis"))
        term = parseWord(key, body.substr(colon + 1), isNegated);
    else
        term = [part = lowered(body)](const FilterRow& row) {
            return lowered(row.tensor.name).find(part) != std::string::npos;
        };
    if (!term || !isNegated)
        return term;
    return [term](const FilterRow& row) { return !term(row); };
}

TensorFilter::Term TensorFilter::parseWord(std::string_view key, std::string_view value,
                                           bool isNegated)
{
    const std::string word = lowered(value);
    if (key == "op")
        return [word](const FilterRow& row) { return lowered(row.tensor.op) == word; };
    if (key == "rule")
        return [word](const FilterRow& row) { return lowered(row.tensor.layoutRule) == word; };
    if (key == "type")
        return [word](const FilterRow& row) {
            return lowered(elementText(row.tensor)) == word ||
                   lowered(storedTypeText(row.tensor)) == word;
        };
    if (key == "role" || key == "kind") {  // kind: as it was called at first
        m_namesRole = true;
        if (const std::optional<Role> role = parseRole(word))
            return [role](const FilterRow& row) { return row.tensor.role == *role; };
        complain("role: must be activation, weight, bias or unknown, not \"" + std::string(value) +
                 "\"");
        return {};
    }
    if (key == "accepted" || key == "decided") {  // decided: as it was called at first
        noteOfWindow(std::string(key) + ':');
        m_listsUndecided = m_listsUndecided || word == (isNegated ? "yes" : "no");
        if (word == "yes" || word == "no")
            return [isWanted = word == "yes"](const FilterRow& row) {
                return row.isDecided == isWanted;
            };
        if (!word.empty())
            return [word](const FilterRow& row) {
                return row.isDecided && lowered(row.decided).find(word) != std::string::npos;
            };
        complain("accepted: needs yes, no or a part of an accepted calibrator's name, as in "
                 "accepted:entropy");
        return {};
    }
    if (key == "flag")
        return parseFlag(word);
    if (const auto kind = std::ranges::find(findingKinds(), word, findingId);
        kind != findingKinds().end()) {
        m_needsPreviews = true;
        return [wanted = *kind](const FilterRow& row) { return hasFinding(row, wanted); };
    }
    if (key == "diagnosis")
        return parseDiagnosis(word);
    if (word == "guess")
        return [](const FilterRow& row) { return row.tensor.isGuess; };
    if (word == "unreadable")
        return [](const FilterRow& row) { return !row.isReadable; };
    if (word == "edited") {
        noteOfWindow("is:edited");
        return [](const FilterRow& row) { return row.isEdited; };
    }
    if (word == "pinned") {
        noteOfWindow("is:pinned");
        return [](const FilterRow& row) { return row.isPinned; };
    }
    if (word == "excluded") {
        noteOfWindow("is:excluded");
        return [](const FilterRow& row) { return row.isExcluded; };
    }
    if (word == "lossy")
        return [](const FilterRow& row) { return !row.tensor.lossy.empty(); };
    if (word == "flagged") {
        m_needsPreviews = true;
        return [](const FilterRow& row) { return row.isFlagged; };
    }
    complain(
        "is: must be guess, edited, lossy, flagged, unreadable, pinned, excluded or one of the "
        "diagnosis, as clipping-bound, not \"" +
        std::string(value) + "\"");
    return {};
}

TensorFilter::Term TensorFilter::parseDiagnosis(std::string_view word)
{
    if (word == "none") {
        m_needsPreviews = true;
        return [](const FilterRow& row) { return row.preview && row.preview->findings.empty(); };
    }
    std::string known;
    for (const FindingKind kind : findingKinds())
        known += std::string(findingId(kind)) + ", ";
    complain("diagnosis: must be " + known + "or none, not \"" + std::string(word) + "\"");
    return {};
}

TensorFilter::Term TensorFilter::parseFlag(const std::string& word)
{
    const auto kind = std::ranges::find_if(
        flagKinds(), [&word](const FlagKind& known) { return word == known.word; });
    if (kind != flagKinds().end()) {
        m_needsFlags = true;
        m_needsPreviews = true;
        return [letter = QChar(kind->letter)](const FilterRow& row) {
            return row.flags.contains(letter);
        };
    }
    std::string known;
    for (const FlagKind& flag : flagKinds())
        known += (known.empty() ? "" : ", ") + std::string(flag.word);
    complain("flag: must be one of " + known + ", not \"" + word + "\"");
    return {};
}

TensorFilter::Term TensorFilter::parseComparison(std::string_view key, std::string_view sign,
                                                 std::string_view value, bool isNegated)
{
    const auto found = std::ranges::find(numberKeys, lowered(key), &NumberKey::id);
    const std::optional<double> bound = parseNumber(value);
    const std::array signs = {"<", "<=", ">", ">=", "="};
    if (found == numberKeys.end())
        complain("there is no numeric key \"" + std::string(key) +
                 "\"; available: " + knownNumbers());
    else if (!bound || std::ranges::find(signs, sign) == signs.end())
        complain(std::string(key) + " needs a comparison with a number, as in " + std::string(key) +
                 "<30");
    if (found == numberKeys.end() || !bound || std::ranges::find(signs, sign) == signs.end())
        return {};
    m_needsPreviews = m_needsPreviews || found->needsPreview;
    m_needsGains = m_needsGains || found->id == "gain";
    if (found->id == "accepted" || found->id == "delta")
        noteOfWindow(std::string(found->id));
    return [number = found->value, comparison = std::string(sign), limit = *bound,
            isNegated](const FilterRow& row) {
        const std::optional<double> known = number(row);
        return known && compare(*known, comparison, limit) != isNegated;
    };
}

void TensorFilter::noteOfWindow(const std::string& word)
{
    if (m_ofWindow.empty())
        m_ofWindow = word;
}

void TensorFilter::complain(const std::string& sentence)
{
    if (m_problem.empty())
        m_problem = sentence;
}

}  // namespace calibscope
