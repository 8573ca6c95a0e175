// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stats/slice.h"
#include "ui/charts/slice_content.h"
#include "ui/document/document.h"
#include "ui/document/outcome_rows.h"
#include "ui/pages/slice/slice_axes.h"
#include "ui/queries/slice_reader.h"
#include "ui/widgets/workspace_page.h"

#include <QTimer>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

class FoundBar;
class PlotSplitter;
class SliceControls;
class SliceSide;
class TensorTitle;

/// Where a tensor's values lie: two of its axes as a picture, one of them as a line, what the bold
/// candidate clips, NaN, the largest values, and the values of a bin of the histogram. Reads only
/// while it is on screen.
class SlicePage : public WorkspacePage
{
    Q_OBJECT

public:
    explicit SlicePage(Document& document, QWidget* parent = nullptr);

    /// Values of the selected tensor that stand out from all others, from the first of them on;
    /// `words` say which.
    void showValues(const MarkedValues& marked, const QString& words);
    void setAxes(const SliceAxes& axes);
    [[nodiscard]] const SliceAxes& axes() const { return m_axes; }

    [[nodiscard]] PlotView* currentPlot() const override;
    [[nodiscard]] SlicePlot& picture() const { return *m_picture; }
    [[nodiscard]] ContentPlot<SliceLineContent>& line() const { return *m_line; }
    [[nodiscard]] SliceControls& controls() const { return *m_controls; }
    [[nodiscard]] SliceSide& side() const { return *m_side; }
    [[nodiscard]] FoundBar& found() const { return *m_found; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void recolor() override { refresh(); }
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* makeBody();
    void connectParts();
    void connectDocument();
    void turnToTensor();
    void ask();
    [[nodiscard]] SliceQuestion planeQuestion(const TensorInfo& tensor) const;
    [[nodiscard]] std::optional<SliceQuestion> partQuestion(const SliceQuestion& whole) const;
    [[nodiscard]] SliceQuestion lineQuestion(const TensorInfo& tensor) const;
    [[nodiscard]] bool isLineOfRow() const;
    void refresh();
    void refreshPicture(const TensorInfo& tensor);
    void refreshLine(const TensorInfo& tensor);
    void refreshState();
    void move(int rows, int columns);
    void turn(int indices);
    void goTo(quint64 place);
    [[nodiscard]] const TensorInfo* shownTensor() const;
    [[nodiscard]] const OutcomeRow* boldRow() const;
    [[nodiscard]] QString candidateName() const;
    [[nodiscard]] SliceContent::Cell cellOf(std::uint64_t row, std::uint64_t column) const;
    [[nodiscard]] QString factsAt(std::uint64_t row, std::uint64_t column) const;

    Document& m_document;
    SliceReader m_reader;
    QTimer m_rest;  ///< until what is on screen has come to rest

    int m_tensor = -1;
    SliceAxes m_axes;
    std::map<std::string, SliceAxes> m_axesOf;  ///< by path, of tensors that were looked at

    TensorTitle* m_title;
    SliceControls* m_controls;
    FoundBar* m_found;
    SlicePlot* m_picture = nullptr;
    ContentPlot<SliceLineContent>* m_line = nullptr;
    std::uint64_t m_lineAxis = 0;  ///< that is drawn
    SliceSide* m_side = nullptr;
    PlotSplitter* m_plots = nullptr;
    bool m_isLinked = false;
};

}  // namespace calibscope
