// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/queries/engine_request.h"
#include "ui/queries/tensor_questions.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace calibscope {

/// Parts of a tensor that are wanted: a picture, a part of it closely, and a line. All of the same
/// tensor and clip ranges.
struct SliceWish
{
    TensorRef tensor;
    std::optional<SliceQuestion> whole;  ///< of both axes; none: a tensor of one axis
    std::optional<SliceQuestion> part;   ///< what is on screen, where that is less
    std::optional<SliceQuestion> line;

    bool operator==(const SliceWish&) const = default;
};

/// Reads slices: first a coarse look at each, then all of it, in bands, so that a picture of
/// gigabytes is there at once and grows more exact. A first look that is at work when another one
/// is wanted is waited for and shown, so that who turns pages fast sees them all; other reading is
/// given up.
class SliceReader : public QObject
{
    Q_OBJECT

public:
    explicit SliceReader(TensorQuestions& engine, QObject* parent = nullptr);

    using Shared = std::shared_ptr<const Slice>;

    /// Bytes that a first look and a band may read.
    static constexpr std::uint64_t lookBytes = std::uint64_t{80} << 20U;
    static constexpr std::uint64_t bandBytes = std::uint64_t{128} << 20U;

    void show(const SliceWish& wish);
    /// Forgets all: nothing is wanted.
    void clear();

    /// What there is; of a former wish of the same tensor until the new one is read.
    [[nodiscard]] const Shared& whole() const { return m_whole.shown; }
    [[nodiscard]] const Shared& part() const { return m_part.shown; }
    [[nodiscard]] const Shared& line() const { return m_line.shown; }
    /// What whole() and line() answer.
    [[nodiscard]] const std::optional<SliceQuestion>& wholeQuestion() const
    {
        return m_whole.answered;
    }
    [[nodiscard]] const std::optional<SliceQuestion>& lineQuestion() const
    {
        return m_line.answered;
    }
    [[nodiscard]] const QString& problem() const { return m_problem; }
    /// Nothing of the wish is left to be read.
    [[nodiscard]] bool isComplete() const;

Q_SIGNALS:
    void changed();

private:
    struct Layer
    {
        std::optional<SliceQuestion> wanted;
        std::optional<SliceQuestion> answered;  ///< as it was wanted, by `shown`
        Shared shown;
        std::uint64_t bandsDone = 0;  ///< cells along the axis that is cut into bands

        [[nodiscard]] bool isLooked() const { return wanted == answered; }
        [[nodiscard]] bool isDone() const { return !wanted || (isLooked() && shown->isWhole()); }
    };
    void want(Layer& layer, const std::optional<SliceQuestion>& question);
    void next();
    bool look(Layer& layer);
    bool readBand(Layer& layer);
    void takeLook(Layer& layer, const SliceQuestion& question, Answer<Slice> answer);
    void takeBand(Layer& layer, const SliceQuestion& question, Answer<Slice> answer);
    void fail(const QString& problem);

    TensorQuestions& m_engine;
    std::optional<TensorRef> m_tensor;
    Layer m_whole;
    Layer m_part;
    Layer m_line;
    QString m_problem;
    EngineRequest m_request;
    bool m_isLook = false;  ///< the request at work
};

/// The slice with values of read cells in the places of those near them that were not read, which
/// stay marked as such: of every so many chunks a picture is made that has no gaps.
[[nodiscard]] Slice withoutGaps(Slice slice);

/// The slice that a band's answer makes of another one: its cells take the place of theirs.
/// Nothing where it is not a band of it.
[[nodiscard]] std::optional<Slice> withBand(const Slice& slice, const Slice& band);

}  // namespace calibscope
