#pragma once

#include "ui/charts/heat_content.h"
#include "ui/plot/plot_view.h"

namespace calibscope {

/// Rows of counts as a heat picture. Clicking a row tells which.
class HeatPlot : public PlotView
{
    Q_OBJECT

public:
    explicit HeatPlot(QWidget* parent = nullptr);

    void setGrid(HeatGrid grid, HeatContent::Words words);
    /// Nothing to show, and why, as a sentence.
    void clear(const QString& reason);
    [[nodiscard]] bool isEmpty() const { return heat().isEmpty(); }
    void setPaths(std::vector<HeatPath> paths);
    void setRowsInUse(std::size_t rows);

Q_SIGNALS:
    void rowClicked(std::size_t row);

protected:
    void changeEvent(QEvent* event) override;

private:
    [[nodiscard]] HeatContent& heat() const;
    void followPalette();
};

}  // namespace calibscope
