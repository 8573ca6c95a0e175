#pragma once

#include <QTableView>

namespace calibscope {

class PlotTableModel;
class PlotView;

/// The numbers that a plot shows, as a table that follows what it shows. While nobody sees the
/// table it is not kept up to date.
class PlotTableView : public QTableView
{
    Q_OBJECT

public:
    explicit PlotTableView(QWidget* parent = nullptr);

    /// From now on of that plot, which has to outlive this or be replaced before.
    void setPlot(PlotView& plot);

    [[nodiscard]] QSize sizeHint() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void update();

    PlotView* m_plot = nullptr;
    PlotTableModel* m_model;
};

}  // namespace calibscope
