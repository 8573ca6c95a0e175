// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/tensor/tensor_info.h"

#include <QString>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace calibscope {

/// Input of a filter.
struct FilterRow
{
    const TensorInfo& tensor;
    const protocol::Preview* preview = nullptr;  ///< none until it was computed
    bool isReadable = true;
    bool isFlagged = false;  ///< asked for only if needsPreviews()
    bool isEdited = false;   ///< the user said how it is to be understood
    bool isPinned = false;
    bool isExcluded = false;
    bool isDecided = false;                ///< the user accepted a calibrator for it
    std::string decided = {};              ///< its label
    std::optional<double> decidedDb = {};  ///< its SQNR
    QString flags = {};                    ///< letters; asked for only if needsFlags()
    std::optional<double> gainDb = {};     ///< of the best candidate over the recipe's; asked for
                                           ///< only if needsGains()
};

/// A query of the tensor list: terms separated by blanks, all of which must hold; blanks around a
/// comparison's sign part nothing.
///
/// `swish` the name holds it (case is ignored); `"two words"`; `role:weight` (activation, weight,
/// bias, unknown); `op:Conv`, `type:float16` (stored or read as), `rule:shapes`, whole words;
/// `is:guess`, `is:flagged`, `is:unreadable`, `is:edited`, `is:lossy`, `is:pinned`, `is:excluded`;
/// `flag:nan` and the other words of flagKinds(); `decided:yes`, `decided:no`, `decided:entropy`
/// (in what was accepted); `decided:no` without a `role:` leaves out biases; `accepted<30` (its
/// SQNR), `delta<0` (less that of the recipe's choice); `sqnr<30`, `nan>0`, `inf>0`, `values>=1e6`,
/// `zeros>50` (percent), `max<1`, `min<0`, `gain>3` (dB that the best candidate has over the
/// recipe's); of the diagnosis `is:heavy-tail` or `diagnosis:heavy-tail`, and `diagnosis:none`; a
/// leading `-` turns a term round. A number that is not known yet matches neither way.
class TensorFilter
{
public:
    /// The query of an empty text matches all. A term that can't be understood is left out and
    /// explained by problem().
    explicit TensorFilter(std::string_view query = {});

    [[nodiscard]] bool matches(const FilterRow& row) const;
    [[nodiscard]] bool matchesAll() const { return m_terms.empty(); }
    /// The part that could not be parsed, as a sentence; empty: none.
    [[nodiscard]] const std::string& problem() const { return m_problem; }
    [[nodiscard]] bool needsFlags() const { return m_needsFlags; }
    /// Whether an answer may change when another preview arrives.
    [[nodiscard]] bool needsPreviews() const { return m_needsPreviews; }

    /// Whether FilterRow::gainDb is looked at.
    [[nodiscard]] bool needsGains() const { return m_needsGains; }
    /// The first word that asks for what was done in the window (decisions, pins, edits), as
    /// "is:pinned"; empty: there is none.
    [[nodiscard]] const std::string& ofWindow() const { return m_ofWindow; }

private:
    using Term = std::function<bool(const FilterRow&)>;

    void addTerm(std::string_view text);
    [[nodiscard]] Term parseTerm(std::string_view text);
    [[nodiscard]] Term parseWord(std::string_view key, std::string_view value, bool isNegated);
    [[nodiscard]] Term parseDiagnosis(std::string_view word);
    [[nodiscard]] Term parseFlag(const std::string& word);
    [[nodiscard]] Term parseComparison(std::string_view key, std::string_view sign,
                                       std::string_view value, bool isNegated);
    void complain(const std::string& sentence);
    void noteOfWindow(const std::string& word);

    std::vector<Term> m_terms;
    std::string m_problem;
    std::string m_ofWindow;
    bool m_needsPreviews = false;
    bool m_needsGains = false;
    bool m_needsFlags = false;
    bool m_listsUndecided = false;
    bool m_namesRole = false;
};

}  // namespace calibscope
