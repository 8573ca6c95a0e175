// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/sample_extreme.h"
#include "ui/models/table_model.h"
#include "ui/queries/query.h"

#include <QDialog>
#include <QLabel>

#include <cstddef>
#include <deque>
#include <vector>

class QTableView;
class QTimer;

namespace calibscope {

class Document;

/// The samples of the recording that set ranges: how many each sets, of which tensors, and what
/// those would be without it. Each activation is read once, in the background.
class SamplesDialog : public QDialog
{
    Q_OBJECT

public:
    /// `document` must outlive it.
    explicit SamplesDialog(Document& document, QWidget* parent = nullptr);

    /// For tests.
    [[nodiscard]] QTableView& samples() const { return *m_sampleTable; }
    [[nodiscard]] QTableView& ranges() const { return *m_rangeTable; }
    [[nodiscard]] QString text() const { return m_words->text(); }

private:
    struct Found
    {
        int tensor = -1;
        SampleExtreme extreme;
    };
    [[nodiscard]] TableDescriptor<RankedSample> sampleColumns() const;
    [[nodiscard]] TableDescriptor<Found> rangeColumns() const;
    [[nodiscard]] const TensorInfo& infoOf(int tensor) const;
    [[nodiscard]] QString nameOf(const Found& found) const;
    [[nodiscard]] QString sentence() const;
    void start();
    void askNext();
    void take();
    void refresh();
    void showRanges();

    Document& m_document;
    Query<protocol::ExtremeRequest> m_query;
    std::deque<int> m_waiting;  ///< the first one is asked for
    std::vector<Found> m_found;
    std::size_t m_asked = 0;
    std::size_t m_failed = 0;
    TableModel<RankedSample> m_samples;
    TableModel<Found> m_ranges;
    QLabel* m_words;
    QTableView* m_sampleTable;
    QTableView* m_rangeTable;
    QTimer* m_update;  ///< answers come by hundreds
};

/// Opens it over that window, or brings forward the one that is open.
void showSamples(Document& document, QWidget& window);

}  // namespace calibscope
