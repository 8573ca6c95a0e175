// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/graph/graph_layout.h"
#include "ui/plot/plot_content.h"
#include "ui/plot/plot_view.h"

#include <QByteArray>
#include <QList>
#include <QPointF>
#include <QStringList>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace calibscope {

/// Meaning of a node's colour.
enum class GraphColors {
    Own,        ///< SQNR of the tensor itself
    Output,     ///< SQNR of the output of its layer
    Running,    ///< SQNR in the quantized model that was checked
    Decision,   ///< whether something was accepted for it
    Precision,  ///< bits of what was accepted
    EndShare    ///< part of the noise at the network's end
};

/// What is shown of a tensor in a graph.
struct GraphMark
{
    int tensor = -1;  ///< of a folded node the one with the lowest SQNR; -1: not recorded
    QString name = {};
    QByteArray needs = {};          ///< of the name's parts, see elidedName(); of a block none
    QString before = {};            ///< the op, or a block's number, before the name
    QString op = {};                ///< and shape, below the name where there is room
    double size = 0.0;              ///< 0 to 1, by the logarithm of its number of values
    std::optional<double> db = {};  ///< that it is coloured by; nothing: not known
    bool isDecided = false;         ///< likewise
    int bits = 0;                   ///< likewise; 0: nothing was accepted
    std::optional<double> endShare = {};   ///< likewise, 0 to 1
    QList<double> counts = {};             ///< of its sparkline; empty: not known
    QStringList facts = {};                ///< of its card
    bool isFound = true;                   ///< by a search; others are faint
    std::vector<GraphMark> operands = {};  ///< weights and biases of its op
    std::vector<int> folded = {};          ///< tensors that it stands for
};

/// A network in layers, from above: nodes as boxes with the weights of their op at the right end,
/// lines as wide as tensors are large. Texts are there where they have room; what is not on screen
/// is not drawn. x in widths of a node, y in rows.
class GraphContent : public PlotContent
{
public:
    struct Network
    {
        TensorGraph graph;
        GraphLayout layout;
        GraphInputs outputs;
    };
    /// A node, or one of its operands.
    struct Hit
    {
        std::size_t node = 0;
        std::optional<std::size_t> operand = {};
    };

    /// Marks by node; as many as the network has.
    void setNetwork(std::shared_ptr<const Network> network);
    void setMarks(std::vector<GraphMark> marks, GraphColors colors);
    /// To be changed and set again.
    [[nodiscard]] std::vector<GraphMark> takeMarks() { return std::exchange(m_marks, {}); }
    /// What follows from the node is emphasised.
    void setChosen(std::optional<std::size_t> node);
    /// The chosen node with its facts and neighbours; empty: none is.
    [[nodiscard]] QString chosenText() const;
    [[nodiscard]] const Network* network() const { return m_network.get(); }
    [[nodiscard]] const std::vector<GraphMark>& marks() const { return m_marks; }
    [[nodiscard]] bool isOnPath(std::size_t node) const { return m_isOnPath[node]; }
    [[nodiscard]] std::optional<Hit> at(const QPointF& point) const;
    /// The line there, by its index; of several the first.
    [[nodiscard]] std::optional<std::size_t> wireAt(const QPointF& point) const;
    /// Of the node there, else of the tensor of the line there.
    [[nodiscard]] const GraphMark* markAt(const QPointF& point) const;
    [[nodiscard]] const GraphMark& markOf(const Hit& hit) const;
    /// In units of the axes.
    [[nodiscard]] QRectF boxOf(const Hit& hit) const;
    [[nodiscard]] std::optional<Hit> hitOf(int tensor) const;

    [[nodiscard]] bool isEmpty() const override { return m_marks.empty(); }
    [[nodiscard]] XAxis xAxis() const override;
    [[nodiscard]] std::vector<YAxis> yAxes(const PlotRoom& room) const override;
    [[nodiscard]] std::vector<LegendEntry> legend() const override;
    void paint(QPainter& painter, const PlotFrame& frame) const override;
    [[nodiscard]] QString readout(double, const PlotFrame&) const override { return {}; }
    [[nodiscard]] QString hoverText(const QPointF& point, const PlotFrame& frame) const override;
    [[nodiscard]] QString sentences() const override;
    void clear() override;
    /// Nodes in the order of the graph.
    [[nodiscard]] std::optional<PlotTable> table(const Range& shown) const override;

private:
    void paintWires(QPainter& painter, const PlotFrame& frame) const;
    void paintNode(QPainter& painter, const PlotFrame& frame, const Hit& hit) const;
    void paintText(QPainter& painter, const PlotFrame& frame, const GraphMark& mark,
                   QRectF box) const;
    [[nodiscard]] QColor groundOf(const GraphMark& mark, const ChartColors& colors) const;

    std::shared_ptr<const Network> m_network;
    std::vector<GraphMark> m_marks;
    GraphColors m_colors = GraphColors::Own;
    std::optional<std::size_t> m_chosen;
    std::vector<bool> m_isOnPath;
};

/// A network. Arrows go along its lines and to neighbours of the row, Return opens the chosen
/// tensor, + and - zoom, / searches, Space folds.
class GraphPlot : public ContentPlot<GraphContent>
{
    Q_OBJECT

public:
    explicit GraphPlot(QWidget* parent = nullptr);

    /// A ring around that tensor, which is moved on screen; -1, or one that is not in the graph:
    /// none.
    void setChosen(int tensor);
    /// The same; of a graph with more rows than can be read at a time, those around it.
    void showClosely(int tensor);
    /// The same around the chosen tensor; all where that is shown, or the graph is small.
    void goHome() override;

Q_SIGNALS:
    void chosen(int tensor);
    void opened(int tensor);
    void searchRequested();
    void foldRequested();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] bool isDeep() const;
    void reveal(const QRectF& box);
    void refreshGhost();
    [[nodiscard]] std::optional<std::size_t> next(Qt::Key key) const;

    int m_chosen = -1;
    std::optional<QPointF> m_pointed;  ///< the pointer's values; nothing: it has left
};

}  // namespace calibscope
