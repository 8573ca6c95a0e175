// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/models/layer_model.h"
#include "ui/widgets/workspace_page.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSortFilterProxyModel;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace calibscope {

class PlotSplitter;
class LayerDetails;
class LayersPlot;

/// "Where to look first": what quantizing its operands costs at the output of each layer, as a plot
/// and a table in one order, and one of them closely. Computes only once it was on screen.
class LayersPage : public WorkspacePage
{
    Q_OBJECT

public:
    explicit LayersPage(Document& document, QWidget* parent = nullptr);

    enum class Order { Graph, Output, Ac, Input, Weight };
    void setOrder(Order order);
    enum class View { Layers, Candidates, Channels, Operands, Equalization };
    void showView(View view);
    /// By its output; empty: none. One that the dump does not have is passed by.
    void chooseLayer(const std::string& layer);
    /// Of the layer that the tensor comes from, or, `isOfItself`, of one that it is an operand of;
    /// once the layers are listed.
    void showCandidates(int tensor, bool isOfItself);
    /// Whether a model can be written and checked again.
    void offerCheck(bool isOffered);
    [[nodiscard]] const std::string& layer() const { return m_layer; }

    [[nodiscard]] PlotView* currentPlot() const override;
    [[nodiscard]] LayersPlot& plot() const { return *m_plot; }
    [[nodiscard]] QTableView& table() const { return *m_table; }
    [[nodiscard]] LayerDetails& details() const { return *m_details; }
    [[nodiscard]] QPushButton& exactButton() const { return *m_exact; }
    [[nodiscard]] QPushButton& checkButton() const { return *m_check; }
    [[nodiscard]] QString facts() const;  ///< of the chosen layer

Q_SIGNALS:
    void deployRequested();
    void checkRequested();
    /// The layers of the model that the dump was recorded from are to be computed.
    void modelRequested();
    /// The layer that was chosen for a tensor is not the one with that output: a sentence.
    void relationFound(const QString& sentence);

protected:
    void showEvent(QShowEvent* event) override;
    void recolor() override { refreshPlot(); }

private:
    [[nodiscard]] QWidget* makeBody();
    [[nodiscard]] QWidget* makeHead();
    [[nodiscard]] QWidget* makeLower();
    void makeTable();
    void connectDocument();
    /// Of the layer of that output; -1: none.
    [[nodiscard]] int rowOf(const std::string& layer) const;
    void start();
    void refresh();
    void refreshState();
    void refreshPlot();
    [[nodiscard]] QStringList reasons() const;
    void selectInput();
    void chooseRequested();
    [[nodiscard]] int makerOf(int tensor) const;
    [[nodiscard]] int rowWithOutput(std::size_t tensor) const;
    [[nodiscard]] int takerOf(int tensor) const;
    void refreshLayer();
    void followTensor();
    void openOperand(const QModelIndex& index);
    [[nodiscard]] int sourceRow(int shown) const;
    [[nodiscard]] QStringList factsOf(const LayerRow& row) const;

    Document& m_document;
    TableModel<LayerRow> m_model;
    QSortFilterProxyModel* m_sorted;
    std::string m_layer;  ///< the chosen one
    std::optional<std::pair<int, bool>>
        m_requested;           ///< of showCandidates(), until they are listed
    std::vector<int> m_drawn;  ///< rows of the model, in the plot's order
    QProgressBar* m_progress = nullptr;
    QComboBox* m_order = nullptr;
    PlotSplitter* m_splitter = nullptr;
    LayersPlot* m_plot = nullptr;
    QTabBar* m_tabs = nullptr;
    QLabel* m_facts = nullptr;
    QPushButton* m_exact = nullptr;
    QPushButton* m_check = nullptr;
    QStackedWidget* m_views = nullptr;
    QTableView* m_table = nullptr;
    LayerDetails* m_details = nullptr;
};

}  // namespace calibscope
