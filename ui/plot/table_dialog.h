#pragma once

#include <QDialog>

class QLabel;

namespace calibscope {

class PlotView;

/// The twin of a plot: its numbers as a table, with the plot's summary above. It follows what the
/// plot shows, and closes with it.
class TableDialog : public QDialog
{
    Q_OBJECT

public:
    explicit TableDialog(PlotView& plot);

private:
    void update();

    PlotView& m_plot;
    QLabel* m_summary = nullptr;
};

}  // namespace calibscope
