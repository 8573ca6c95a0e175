#pragma once

#include "ui/queries/background_reader.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace calibscope {

class Document;

/// What the list shows of each tensor of a document under the chosen recipe: taken in the
/// background, one tensor after another.
class Previews : public QObject
{
    Q_OBJECT

public:
    Previews(const Document& document, Engine& background, QObject* parent = nullptr);

    /// nullptr until it was taken.
    [[nodiscard]] const protocol::Preview* of(int tensor) const;
    [[nodiscard]] const std::map<int, protocol::Preview>& all() const { return m_previews; }
    /// Tensors whose preview is still to be taken.
    [[nodiscard]] std::size_t left() const { return m_background.previewsLeft(); }
    /// Tensors that are on screen: their previews are taken first.
    void prefer(const std::vector<int>& tensors) { m_background.prefer(tensors); }
    [[nodiscard]] bool isIdle() const { return m_background.isIdle(); }

Q_SIGNALS:
    void taken(int tensor, const calibscope::protocol::Preview& preview);
    void failed(int tensor, const QString& sentence);
    void idle();

private:
    friend class Document;   // tells of the dump and its tensors
    friend class Questions;  // reads views ahead between the previews

    void start();
    void clear();
    void forgetAll();
    void forget(const std::vector<int>& tensors);
    void takeAgain(const std::vector<int>& tensors);
    void followView();
    void take(int tensor, protocol::Preview preview);
    [[nodiscard]] std::optional<double> sqnrUnderRecipe(int tensor,
                                                        const protocol::TensorView& view) const;

    const Document& m_document;
    BackgroundReader m_background;
    std::map<int, protocol::Preview> m_previews;
    std::set<int> m_failed;
};

}  // namespace calibscope
