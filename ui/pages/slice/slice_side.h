// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/slice.h"
#include "ui/document/document.h"
#include "ui/queries/query.h"

#include <QWidget>

#include <cstdint>
#include <vector>

class QLabel;
class QTableWidget;

namespace calibscope {

/// Beside the picture: what is to be said of the chosen value, and the largest magnitudes of the
/// tensor with their places, which are looked for in the background.
class SliceSide : public QWidget
{
    Q_OBJECT

public:
    explicit SliceSide(Document& document, QWidget* parent = nullptr);

    /// How many are listed.
    static constexpr std::uint64_t largestCount = 10;

    /// Of another tensor, or none.
    void look(const TensorInfo* tensor);
    void setFacts(const QString& facts);
    [[nodiscard]] QString facts() const;
    [[nodiscard]] QTableWidget& largest() const { return *m_largest; }

Q_SIGNALS:
    /// A flat index in the file's order, below the tensor's count.
    void placeChosen(quint64 place);

private:
    void list(const FoundValues& found);

    Document& m_document;
    Query<protocol::LocateRequest> m_query;
    std::vector<std::uint64_t> m_shape;
    QLabel* m_facts;
    QTableWidget* m_largest;
};

}  // namespace calibscope
