// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/decided_sqnr.h"
#include "ui/queries/background_reader.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace calibscope {

class Document;
struct DocumentChange;
enum class TensorValues;

/// What the list shows of each tensor of a document under the chosen recipe: taken in the
/// background, one tensor after another.
class Previews : public QObject
{
    Q_OBJECT

public:
    /// Of the tensors of one dump, by their indices.
    struct Taken
    {
        std::map<int, protocol::Preview> current;  ///< under the chosen recipe
        std::map<int, protocol::Preview> former;   ///< else under an earlier one: without SQNR
        std::map<int, QString> problems;           ///< why there is none, as sentences

        /// Current or former; nullptr without one.
        [[nodiscard]] const protocol::Preview* find(int tensor) const;
    };

    Previews(const Document& document, Engine& background, QObject* parent = nullptr);

    /// nullptr until it was taken.
    [[nodiscard]] const protocol::Preview* of(int tensor) const;
    [[nodiscard]] const std::map<int, protocol::Preview>& all() const { return m_taken->current; }
    /// For who goes on showing it until there is another dump.
    [[nodiscard]] std::shared_ptr<const Taken> shared() const { return m_taken; }
    /// Tensors whose preview is still to be taken.
    [[nodiscard]] std::size_t left() const { return m_background.previewsLeft(); }
    /// Tensors that are on screen: their previews are taken first.
    void prefer(const std::vector<int>& tensors);
    /// The dump lies on another machine and is so large that nobody wants all of it read for this:
    /// only what is on screen is.
    [[nodiscard]] bool isFrugal() const;
    static constexpr std::uint64_t mostBytesFarAway = 20'000'000'000;
    [[nodiscard]] bool isIdle() const { return m_background.isIdle() && m_decided.isIdle(); }
    /// Of what was accepted for it; nothing until it is known, or where nothing was.
    [[nodiscard]] std::optional<double> sqnrOfDecision(int tensor) const
    {
        return m_decided.of(tensor);
    }

    /// Begins nothing further while the user waits for something else.
    void setPaused(bool isPaused);
    /// Views that the user may want next; they are read between the previews, see viewRead().
    void readAhead(std::vector<protocol::ViewRequest> views);
    /// What is shown of the selected tensor is more exact than its preview.
    void followView();
    /// Result for a tensor.
    void take(int tensor, protocol::Preview preview);
    void fail(int tensor, const QString& sentence);

Q_SIGNALS:
    void taken(int tensor);  ///< or the SQNR of what was accepted for it
    void failed(int tensor, const QString& sentence);
    void viewRead(const calibscope::protocol::ViewRequest& request,
                  const calibscope::protocol::TensorView& view);
    void idle();

private:
    void start();
    void clear();
    void follow(const DocumentChange& change);
    void forgetSqnr();
    void takeAnew(const std::vector<int>& tensors, TensorValues values);
    [[nodiscard]] std::optional<double> sqnrUnderRecipe(int tensor,
                                                        const protocol::TensorView& view) const;

    const Document& m_document;
    BackgroundReader m_background;
    DecidedSqnr m_decided;
    std::shared_ptr<Taken> m_taken = std::make_shared<Taken>();  ///< another one for each dump
    std::set<int> m_failed;                                      ///< since the recipe was chosen
};

}  // namespace calibscope
