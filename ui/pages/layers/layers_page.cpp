// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/layers/layers_page.h"

#include "ui/charts/layers_content.h"
#include "ui/document/questions.h"
#include "ui/models/table_model.h"
#include "ui/pages/layers/layer_details.h"
#include "ui/panels/workspace_tabs.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/plot_splitter.h"
#include "ui/widgets/row_table.h"
#include "ui/widgets/tensor_delegates.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace calibscope {

namespace {

constexpr int margin = 12;
constexpr int layerColumnWidth = 168;
constexpr std::array parts = {11, 10};  // plot, below it

/// By LayersPage::Order.
constexpr std::array orderColumns = {-1, int(LayerColumn::Output), int(LayerColumn::Ac),
                                     int(LayerColumn::InputDb), int(LayerColumn::WeightDb)};

LayerMark markOf(const LayerRow& row)
{
    const LayerResult& found = row.found;
    return {.name = QString::fromStdString(found.layer),
            .output = found.outputSqnrDb,
            .interval = found.intervalDb.value_or(0.0),
            .ac = found.outputAcDb,
            .input = found.inputDb,
            .weight = found.weightDb,
            .reason = row.reason()};
}

}  // namespace

LayersPage::LayersPage(Document& document, QWidget* parent)
    : WorkspacePage(parent),
      m_document(document),
      m_model(layerTable(document),
              [&document] { return std::span(document.questions().layers().rows()); }),
      m_sorted(new KnownFirst(this))
{
    fillWith(makeBody());
    connect(m_notice, &StateNotice::buttonClicked, this, &LayersPage::modelRequested);
    connectDocument();
    setOrder(Order::Output);  // which is what the dots show
    refresh();
}

QWidget* LayersPage::makeBody()
{
    auto* body = new QWidget(this);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(margin, margin, margin, 8);
    layout->setSpacing(6);
    layout->addWidget(makeHead());
    m_splitter = new PlotSplitter(Qt::Vertical, body);
    m_plot = new LayersPlot(m_splitter);
    m_plot->setAccessibleName(tr("Layers by the error of their output"));
    m_splitter->addWidget(m_plot);
    m_splitter->addWidget(makeLower());
    m_splitter->setUsualShares({parts[0], parts[1]});
    connect(m_plot, &PlotView::readoutChanged, this, &LayersPage::readoutChanged);
    connect(m_plot, &DecibelsPlot::partChosen, this, [this](std::size_t place) {
        if (place >= m_drawn.size())
            return;
        chooseLayer(m_model.row(m_drawn[place]).found.layer);
        selectInput();
    });
    layout->addWidget(m_splitter, 1);
    return body;
}

QWidget* LayersPage::makeHead()
{
    auto* head = new QWidget(this);
    QHBoxLayout* first = makeStateLine(
        head, tr("Where to look first"),
        tr("Measured on six networks, layer by layer in a runtime: the order of layers by the "
           "error of their output without its channels' means (AC) follows the order by the error "
           "at the network's end (rank correlation 0.73 on average of four, 0.79 to 0.88 on two), "
           "with the means a little less (0.71; 0.68 to 0.86); an activation's own SQNR does "
           "partly (0.55), a weight's does not (−0.08). It is not an oracle: of the ten most "
           "sensitive "
           "layers it has 2 to 9 among its own first ten."));
    m_progress = new QProgressBar(head);
    m_progress->setTextVisible(false);
    m_progress->setMaximumWidth(100);
    m_order = new QComboBox(head);
    m_order->setAccessibleName(tr("Order of the layers"));
    m_order->setToolTip(tr("Of the plot and the table alike"));
    for (const QString& order :
         {tr("in the graph's order"), tr("lowest output first"), tr("lowest AC first"),
          tr("lowest input first"), tr("lowest weight first")})
        m_order->addItem(order);
    m_order->setPlaceholderText(tr("as the table is sorted"));
    connect(m_order, &QComboBox::activated, this,
            [this](int order) { setOrder(static_cast<Order>(order)); });
    auto* limits = new PlainLabel(tr("Error inside the layer; what it does at the network's end "
                                     "depends on what follows:"),
                                  head);
    limits->setWordWrap(true);
    auto* link = new LinkLabel(tr("check it"), QStringLiteral("deploy"), {}, head);
    link->setToolTip(
        tr("Page Deploy: write the quantized model and compare it with the float one"));
    connect(link, &QLabel::linkActivated, this, &LayersPage::deployRequested);
    first->addWidget(m_progress);
    first->addWidget(m_order);
    auto* second = new QHBoxLayout;
    second->setSpacing(4);
    second->addWidget(limits, 1);
    second->addWidget(link, 0, Qt::AlignBottom);
    auto* layout = new QVBoxLayout(head);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addLayout(first);
    layout->addLayout(second);
    return head;
}

QWidget* LayersPage::makeLower()
{
    auto* lower = new QWidget(this);
    m_tabs = new UnderlinedTabBar(lower);
    m_tabs->setAccessibleName(tr("Layers, or one of them closely"));
    for (const QString& title :
         {tr("Layers"), tr("Candidates"), tr("Channels"), tr("Operands"), tr("Equalization")})
        m_tabs->addTab(title);
    m_tabs->setTabToolTip(1, tr("Effect of each candidate for its operands on the layer"));
    m_tabs->setTabToolTip(2,
                          tr("Mean error of each output channel, and the gain of correcting it"));
    m_tabs->setTabToolTip(
        3, tr("Number formats of the weight, SmoothQuant and AWQ, by the layer's output"));
    m_tabs->setTabToolTip(4, tr("Gain of equalizing channels between two layers"));
    m_exact = new QPushButton(tr("&All positions"), lower);
    m_exact->setToolTip(tr("Computes the chosen layer from all positions: exact, and slower"));
    connect(m_exact, &QPushButton::clicked, this, [this] {
        if (const int row = rowOf(m_layer); row >= 0)
            m_document.questions().layers().computeExactly(static_cast<std::size_t>(row));
    });
    m_check = new QPushButton(tr("Chec&k again"), lower);
    m_check->setToolTip(
        tr("Writes the model with what is accepted now, and checks it: page Deploy shows both"));
    m_check->hide();
    connect(m_check, &QPushButton::clicked, this, &LayersPage::checkRequested);
    m_facts = new PlainLabel(lower);
    m_facts->setWordWrap(true);
    m_facts->setForegroundRole(QPalette::PlaceholderText);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_views = new QStackedWidget(lower);
    makeTable();
    m_details = new LayerDetails(m_document, lower);
    m_views->addWidget(m_table);
    m_views->addWidget(m_details);
    connect(m_details, &LayerDetails::readoutChanged, this, &LayersPage::readoutChanged);
    connect(m_tabs, &QTabBar::currentChanged, this,
            [this](int tab) { showView(static_cast<View>(tab)); });
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_tabs, 1);
    bar->addWidget(m_exact);
    bar->addWidget(m_check);
    auto* layout = new QVBoxLayout(lower);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    layout->addLayout(bar);
    layout->addWidget(m_facts);
    layout->addWidget(m_views, 1);
    return lower;
}

void LayersPage::makeTable()
{
    m_table = makeRowTable(*m_sorted, m_model, tr("Layers"), this);
    m_table->setItemDelegateForColumn(LayerColumn::Layer, new ColumnNamesDelegate(m_table));
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionResizeMode(LayerColumn::Layer, QHeaderView::Interactive);
    header->resizeSection(LayerColumn::Layer, layerColumnWidth);
    connect(header, &QHeaderView::sortIndicatorChanged, this, [this](int column, Qt::SortOrder by) {
        const auto found = std::ranges::find(orderColumns, column);
        const bool isListed =
            found != orderColumns.end() && (column < 0 || by == Qt::AscendingOrder);
        m_order->setCurrentIndex(isListed ? static_cast<int>(found - orderColumns.begin()) : -1);
        refreshPlot();
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) {
                if (!current.isValid())
                    return;
                chooseLayer(m_model.row(sourceRow(current.row())).found.layer);
                if (m_table->hasFocus())
                    selectInput();
            });
    connect(m_table, &QTableView::activated, this, &LayersPage::openOperand);
}

int LayersPage::rowOf(const std::string& layer) const
{
    for (int row = 0; row < m_model.rowCount(); ++row)
        if (m_model.row(row).found.layer == layer)
            return row;
    return -1;
}

void LayersPage::connectDocument()
{
    LayerReader& layers = m_document.questions().layers();
    connect(&layers, &LayerReader::listed, this, [this] {
        m_model.refresh();
        refresh();
    });
    connect(&layers, &LayerReader::rowChanged, this, [this](std::size_t row) {
        m_model.refresh(static_cast<int>(row));
        refreshState();
        refreshPlot();
        if (m_model.row(static_cast<int>(row)).found.layer == m_layer)
            refreshLayer();
    });
    connect(&layers, &LayerReader::idle, this, &LayersPage::refreshState);
    connect(&m_document, &Document::dumpChanged, this, [this] {
        m_layer.clear();
        m_requested.reset();
        m_details->forget();
        start();
    });
    connect(&m_document, &Document::selectionChanged, this, &LayersPage::followTensor);
}

void LayersPage::start()
{
    if (isVisible())
        m_document.questions().layers().start();
    refresh();
}

void LayersPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    start();
}

void LayersPage::setOrder(Order order)
{
    const int column = orderColumns.at(static_cast<std::size_t>(order));
    m_table->sortByColumn(column, Qt::AscendingOrder);
    m_order->setCurrentIndex(static_cast<int>(order));
    refreshPlot();
}

void LayersPage::showView(View view)
{
    m_tabs->setCurrentIndex(static_cast<int>(view));
    m_facts->setVisible(view != View::Operands);  // two plots have more need of the room
    if (view == View::Layers)
        return m_views->setCurrentWidget(m_table);
    m_views->setCurrentWidget(m_details);
    m_details->setView(view == View::Candidates ? LayerDetails::View::Candidates
                       : view == View::Channels ? LayerDetails::View::Channels
                       : view == View::Operands ? LayerDetails::View::Operands
                                                : LayerDetails::View::Equalization);
}

void LayersPage::chooseLayer(const std::string& layer)
{
    if (layer == m_layer || (!layer.empty() && rowOf(layer) < 0))
        return;
    m_layer = layer;
    refreshLayer();
    if (const int row = rowOf(layer); row >= 0)
        m_document.questions().layers().prefer(static_cast<std::size_t>(row));
}

/// So that list and cards are of the layer that the user chose, by its input or else its weight.
void LayersPage::selectInput()
{
    const int row = rowOf(m_layer);
    if (row < 0)
        return;
    const LayerRow& layer = m_model.row(row);
    const int tensor = layer.input >= 0 ? layer.input : layer.weight;
    const int selected = m_document.selected();
    if (tensor >= 0 && selected != layer.input && selected != layer.weight)
        m_document.select(tensor);
}

void LayersPage::offerCheck(bool isOffered)
{
    m_check->setVisible(isOffered);
}

void LayersPage::showCandidates(int tensor, bool isOfItself)
{
    m_requested = {tensor, isOfItself};
    chooseRequested();
    showView(View::Candidates);
}

void LayersPage::chooseRequested()
{
    if (!m_requested || m_document.questions().layers().rows().empty())
        return;
    const auto [tensor, isOfItself] = *std::exchange(m_requested, std::nullopt);
    int row = isOfItself ? takerOf(tensor) : makerOf(tensor);
    const bool isMade = !isOfItself && row >= 0;
    if (row < 0)
        row = isOfItself ? makerOf(tensor) : takerOf(tensor);
    if (row < 0)
        return;
    const LayerResult found = m_model.row(row).found;
    if (isMade && rowWithOutput(static_cast<std::size_t>(tensor)) < 0) {
        const QString layer = QString::fromStdString(found.layer);
        const QString db =
            found.outputSqnrDb
                ? tr(", whose own output has %1 dB").arg(fixedLabel(*found.outputSqnrDb, 1))
                : QString();
        Q_EMIT relationFound(
            tr("%1 is no layer's output: it follows from %2%3.")
                .arg(QString::fromStdString(
                         m_document.tensors()[static_cast<std::size_t>(tensor)].name),
                     layer, db));
    }
    chooseLayer(found.layer);
    selectInput();
}

/// The row of the layer with that output, else of those that it follows from by other ops the one
/// with the worst output, as far as that is known; -1: none.
int LayersPage::makerOf(int tensor) const
{
    const TensorGraph& graph = m_document.graph();
    const auto node = std::ranges::find(
        graph.nodes, std::optional(static_cast<std::size_t>(tensor)), &GraphNode::tensor);
    std::vector<std::size_t> waiting;
    if (node != graph.nodes.end())
        waiting.push_back(static_cast<std::size_t>(node - graph.nodes.begin()));
    std::set<std::size_t> seen;
    int worst = -1;
    const auto dbOf = [this](int row) {
        return m_model.row(row).found.outputSqnrDb.value_or(
            std::numeric_limits<double>::infinity());
    };
    for (std::size_t next = 0; next < waiting.size(); ++next) {
        const std::size_t maker = waiting[next];
        if (!seen.insert(maker).second)
            continue;
        const int row = graph.nodes[maker].tensor ? rowWithOutput(*graph.nodes[maker].tensor) : -1;
        if (row < 0)
            waiting.insert(waiting.end(), graph.inputs[maker].begin(), graph.inputs[maker].end());
        else if (worst < 0 || dbOf(row) < dbOf(worst))
            worst = row;
    }
    return worst;
}

int LayersPage::rowWithOutput(std::size_t tensor) const
{
    for (int row = 0; row < m_model.rowCount(); ++row)
        if (m_model.row(row).output == static_cast<int>(tensor))
            return row;
    return -1;
}

/// The row of the first layer that it is an operand of, rather one that can be computed; -1: none.
int LayersPage::takerOf(int tensor) const
{
    int taker = -1;
    for (int row = 0; row < m_model.rowCount(); ++row) {
        const LayerRow& layer = m_model.row(row);
        if (layer.input != tensor && layer.weight != tensor)
            continue;
        if (layer.isComputable())
            return row;
        taker = taker < 0 ? row : taker;
    }
    return taker;
}

int LayersPage::sourceRow(int shown) const
{
    return m_sorted->mapToSource(m_sorted->index(shown, 0)).row();
}

QString LayersPage::facts() const
{
    return m_facts->text();
}

PlotView* LayersPage::currentPlot() const
{
    if (PlotView* plot = m_details->currentPlot(); plot && plot->isVisible())
        return plot;
    return m_plot;
}

void LayersPage::refresh()
{
    const LayerReader& layers = m_document.questions().layers();
    if (!layers.rows().empty())
        showBody();
    else if (!layers.problem().isEmpty())
        say(tr("The layers could not be listed"), layers.problem());
    else if (!layers.isStarted() || layers.isListing())
        say(tr("Where to look first"), tr("Looking for the layers of the dump…"));
    else
        say(tr("No layers"),
            tr("The dump does not tell which tensors are a layer's input, weight and output: their "
               "attributes op_type and inputs are not recorded, or it has no convolution and no "
               "matrix product.\nThe ONNX model that it was recorded from has them: with it the "
               "page Improve computes the output of each layer, as does calib layers %1 --onnx "
               "MODEL.")
                .arg(m_document.path().section(u'/', -1)),
            tr("Choose ONNX &model..."));
    refreshState();
    refreshPlot();
    if (rowOf(m_layer) < 0)
        m_layer.clear();
    followTensor();
    chooseRequested();
    refreshLayer();
}

void LayersPage::refreshState()
{
    const LayerReader& layers = m_document.questions().layers();
    const std::size_t computable = layers.computable();
    const std::size_t listed = layers.rows().size();
    QStringList facts{tr("%1 of %2 layers").arg(countLabel(computable), countLabel(listed))};
    if (computable < listed)
        facts += tr("%1 can't be computed").arg(countLabel(listed - computable));
    if (layers.computed() < computable)
        facts += tr("first look %1").arg(countLabel(layers.computed()));
    else if (layers.refined() < computable)
        facts += tr("refined %1").arg(countLabel(layers.refined()));
    m_state->setText(facts.join(QStringLiteral("   ")));
    facts += tr("%1 positions, seed %2")
                 .arg(countLabel(LayerReader::finePositions))
                 .arg(LayerReader::seed);
    m_state->setToolTip((facts + reasons()).join(u'\n'));
    m_progress->setVisible(!layers.isIdle());
    m_progress->setRange(0, static_cast<int>(2 * computable));
    m_progress->setValue(static_cast<int>(layers.computed() + layers.refined()));
}

/// Of the layers that can't be computed, the most frequent first.
QStringList LayersPage::reasons() const
{
    std::map<QString, std::uint64_t> counts;
    for (const LayerRow& row : m_document.questions().layers().rows())
        if (!row.isComputable())
            ++counts[row.reason()];
    std::vector<std::pair<QString, std::uint64_t>> reasons(counts.begin(), counts.end());
    std::ranges::stable_sort(reasons, std::ranges::greater{},
                             &std::pair<QString, std::uint64_t>::second);
    constexpr std::size_t most = 3;
    QStringList lines;
    for (std::size_t place = 0; place < std::min(reasons.size(), most); ++place)
        lines += tr("%1 of them: %2").arg(countLabel(reasons[place].second), reasons[place].first);
    std::uint64_t others = 0;
    for (std::size_t index = most; index < reasons.size(); ++index)
        others += reasons[index].second;
    if (others > 0)
        lines += tr("%1 for other reasons").arg(countLabel(others));
    return lines;
}

/// In the table's order; sorted by a number, those that have none are the table's alone.
void LayersPage::refreshPlot()
{
    m_drawn.clear();
    const bool isSorted = m_sorted->sortColumn() >= 0;
    LayersMark mark;
    std::optional<std::size_t> chosen;
    for (int shown = 0; shown < m_sorted->rowCount(); ++shown) {
        const int row = sourceRow(shown);
        const LayerRow& layer = m_model.row(row);
        if (isSorted && !layer.hasNumbers())
            continue;
        if (layer.found.layer == m_layer)
            chosen = m_drawn.size();
        m_drawn.push_back(row);
        mark.layers.push_back(markOf(layer));
    }
    if (mark.layers.empty()) {
        const LayerReader& layers = m_document.questions().layers();
        return m_plot->clear(layers.computable() == 0 && !layers.rows().empty()
                                 ? tr("No layer can be computed.") + u'\n' + reasons().join(u'\n') +
                                       QStringLiteral("\n\n") +
                                       tr("A layer needs its input, weight and output in the dump: "
                                          "record all activations (Help > Contents, Recording).")
                                 : tr("Computing the first layers…"));
    }
    const ChartColors& colors = chartColors(palette());
    mark.xTitle = m_order->currentIndex() < 0 ? tr("layers as the table is sorted")
                                              : tr("layers, %1").arg(m_order->currentText());
    constexpr double calm = 0.5;  // the dots are the message
    mark.inputColor = blended(colors.background, colors.fill, calm);
    mark.weightColor = blended(colors.background, colors.axis, calm);
    mark.inkColor = colors.text;
    m_plot->setLayers(std::move(mark));
    m_plot->setChosen(chosen);
}

QStringList LayersPage::factsOf(const LayerRow& row) const
{
    QStringList facts{QString::fromStdString(row.found.layer) + u':'};
    facts += layerSentences(row);
    if (row.output >= 0 && row.hasNumbers()) {
        const TensorInfo& output = m_document.tensors()[static_cast<std::size_t>(row.output)];
        if (output.channelAxis && output.valuesPerSample() == output.channelCount())
            facts += tr("Its output has one position for each sample: of such layers (as in "
                        "squeeze-and-excitation) this says least about the network's end.");
    }
    return facts;
}

void LayersPage::refreshLayer()
{
    const int row = rowOf(m_layer);
    const LayerRow* layer = row >= 0 ? &m_model.row(row) : nullptr;
    m_facts->setText(layer ? factsOf(*layer).join(u' ')
                           : tr("Choose a layer for its self-check and possible changes."));
    m_exact->setEnabled(layer && layer->isComputable() && layer->problem.isEmpty() &&
                        !layer->isExact);
    m_details->show(layer ? std::optional(*layer) : std::nullopt);
    const auto place = std::ranges::find(m_drawn, row);
    m_plot->setChosen(place == m_drawn.end()
                          ? std::nullopt
                          : std::optional(static_cast<std::size_t>(place - m_drawn.begin())));
    const QModelIndex index =
        row >= 0 ? m_sorted->mapFromSource(m_model.index(row, 0)) : QModelIndex();
    if (m_table->currentIndex().row() != index.row())
        m_table->setCurrentIndex(index);
}

/// The first layer that the selected tensor belongs to, unless the chosen one does already.
void LayersPage::followTensor()
{
    const int tensor = m_document.selected();
    const auto belongs = [tensor](const LayerRow& row) {
        return row.input == tensor || row.weight == tensor || row.output == tensor;
    };
    if (tensor < 0)
        return;
    if (const int row = rowOf(m_layer); row >= 0 && belongs(m_model.row(row)))
        return;
    const std::vector<LayerRow>& rows = m_document.questions().layers().rows();
    auto found = std::ranges::find_if(
        rows, [&](const LayerRow& row) { return belongs(row) && row.isComputable(); });
    if (found == rows.end())
        found = std::ranges::find_if(rows, belongs);
    if (found != rows.end())
        chooseLayer(found->found.layer);
}

void LayersPage::openOperand(const QModelIndex& index)
{
    const LayerRow& row = m_model.row(sourceRow(index.row()));
    const bool isOfWeight =
        index.column() == LayerColumn::Weight || index.column() == LayerColumn::WeightDb;
    const int tensor = isOfWeight && row.weight >= 0 ? row.weight : row.input;
    if (tensor >= 0)
        Q_EMIT tensorChosen(tensor);
}

}  // namespace calibscope
