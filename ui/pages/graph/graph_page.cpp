// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/graph/graph_page.h"

#include "ui/document/decisions.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/document/sqnr_overview.h"
#include "ui/document/tensor_text.h"
#include "ui/plot/number_label.h"
#include "ui/theme/name_parts.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/state_notice.h"

#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QShortcut>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace calibscope {

namespace {

constexpr int drawnTogetherMs = 100;
constexpr std::size_t mostUnfolded = 120;  // at first
constexpr double smallestValues = 2.0;     // powers of two of a tensor's number of values
constexpr double largestValues = 24.0;

/// About 60 nodes, or half of a small graph, as its scopes and blocks allow.
TensorGraph folded(const TensorGraph& graph)
{
    constexpr std::size_t most = 60;
    return foldedGraph(graph, std::min(most, graph.nodes.size() / 2));
}

bool isTensorFound(const GraphMark& mark, const QString& words)
{
    return mark.name.contains(words, Qt::CaseInsensitive) ||
           mark.op.contains(words, Qt::CaseInsensitive) ||
           std::ranges::any_of(mark.operands, [&words](const GraphMark& operand) {
               return isTensorFound(operand, words);
           });
}

}  // namespace

GraphPage::GraphPage(Document& document, QWidget* parent)
    : WorkspacePage(parent), m_document(document)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(drawnTogetherMs);
    connect(&m_soon, &QTimer::timeout, this, &GraphPage::refresh);
    fillWith(makeBody());
    connect(m_notice, &StateNotice::buttonClicked, this, &GraphPage::modelRequested);
    connectDocument();
}

QWidget* GraphPage::makeBody()
{
    auto* body = new QWidget(this);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(12, 12, 12, 8);
    layout->setSpacing(4);
    layout->addWidget(makeHead());
    m_plot = new GraphPlot(body);
    m_plot->setAccessibleName(tr("Graph of the network"));
    layout->addWidget(m_plot, 1);
    connect(m_plot, &GraphPlot::chosen, this, [this](int tensor) { m_document.select(tensor); });
    connect(m_plot, &GraphPlot::opened, this, &GraphPage::tensorChosen);
    const auto search = [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    };
    connect(m_plot, &GraphPlot::searchRequested, this, search);
    // Whatever has the keys of the window: letters typed there would be shortcuts.
    connect(new QShortcut(Qt::Key_Slash, this), &QShortcut::activated, this, search);
    connect(m_plot, &GraphPlot::foldRequested, this, [this] { m_fold->toggle(); });
    connect(m_plot, &PlotView::pointed, this, [this](std::optional<QPointF> values) {
        const GraphMark* mark = values ? m_plot->shown().markAt(*values) : nullptr;
        const QString text =
            mark ? (QStringList{mark->name} + mark->facts).join(QStringLiteral("   ")) : QString();
        QMetaObject::invokeMethod(
            this, [this, text] { Q_EMIT readoutChanged(text); }, Qt::QueuedConnection);
    });
    return body;
}

QWidget* GraphPage::makeHead()
{
    auto* head = new QWidget(this);
    QHBoxLayout* layout = makeStateLine(head, tr("The network"));
    m_fold = new QCheckBox(tr("Fold"), head);
    m_fold->setToolTip(
        tr("Draws neighbours whose names begin alike, up to a / or a dot, as one; without such "
           "names blocks of ops that are repeated (Space)"));
    connect(m_fold, &QCheckBox::toggled, this, &GraphPage::layOut);
    m_search = new QLineEdit(head);
    m_search->setPlaceholderText(tr("Name or op (/)"));
    m_search->setAccessibleName(tr("Search in the graph"));
    m_search->setToolTip(
        tr("Emphasises what has these letters; Return goes to the next, Esc back"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(150);
    m_search->installEventFilter(this);
    connect(m_search, &QLineEdit::textChanged, this, [this] {
        if (m_isMade)
            find();
    });
    m_colors = new QComboBox(head);
    m_colors->setAccessibleName(tr("Colours of the nodes"));
    m_colors->setToolTip(tr("Colours of the nodes"));
    for (const QString& text : {tr("by own SQNR"), tr("by layer output"), tr("by running SQNR"),
                                tr("by decision"), tr("by precision"), tr("by share at the end")})
        m_colors->addItem(text);
    connect(m_colors, &QComboBox::activated, this,
            [this](int colors) { setColors(static_cast<GraphColors>(colors)); });
    for (QWidget* part : std::initializer_list<QWidget*>{m_fold, m_search, m_colors})
        layout->addWidget(part);
    head->setLayout(layout);
    m_state->setLines(2);
    return head;
}

void GraphPage::connectDocument()
{
    const auto refreshSoon = [this](int tensor) {
        if (!m_isMade || tensor < 0 || static_cast<std::size_t>(tensor) >= m_nodesOf.size())
            return;
        const std::vector<std::size_t>& nodes = m_nodesOf[static_cast<std::size_t>(tensor)];
        m_changed.insert(nodes.begin(), nodes.end());
        if (!m_soon.isActive())
            m_soon.start();
    };
    const auto refreshAllSoon = [this, refreshSoon] {
        for (int tensor = 0; tensor < std::ssize(m_nodesOf); ++tensor)
            refreshSoon(tensor);
    };
    const auto forget = [this] {
        m_isMade = false;
        if (isVisible())
            makeAnew();
    };
    connect(&m_document, &Document::dumpChanged, this, forget);
    connect(&m_document, &Document::tensorsChanged, this, forget);
    connect(&m_document, &Document::selectionChanged, this, [this] {
        if (m_isMade)
            m_plot->setChosen(m_document.selected());
    });
    connect(&m_document, &Document::changed, this,
            [this, refreshAllSoon](const DocumentChange& change) {
                if (change.concerns(DocumentChange::Recipe) ||
                    change.before.decisions != m_document.workbench().decisions)
                    refreshAllSoon();
            });
    connect(&m_document, &Document::idle, this, [this] {
        if (!m_soon.isActive())
            return;
        m_soon.stop();
        refresh();
    });
    connect(&m_document.previews(), &Previews::taken, this, refreshSoon);
    const LayerReader& layers = m_document.questions().layers();
    connect(&layers, &LayerReader::listed, this, refreshAllSoon);
    connect(&layers, &LayerReader::rowChanged, this,
            [&layers, refreshSoon](std::size_t row) { refreshSoon(layers.rows()[row].output); });
}

void GraphPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    Q_EMIT endSharesAsked();
    askForShares();
    if (!m_isMade)
        makeAnew();
}

/// Keys of the search: to the next node that it finds, and back to the graph.
bool GraphPage::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_search || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        findNext();
        return true;
    }
    if (key == Qt::Key_Escape) {
        m_search->clear();
        m_plot->setFocus();
        return true;
    }
    return false;
}

void GraphPage::makeAnew()
{
    const bool hasLines = std::ranges::any_of(m_document.graph().inputs,
                                              [](const auto& inputs) { return !inputs.empty(); });
    m_isMade = true;
    m_nodesOf.clear();
    m_changed.clear();
    if (!hasLines) {
        say(tr("No graph"),
            tr("The dump does not tell which tensors were made of which: record the attributes "
               "op_type and inputs (names of the op's inputs, in order) with each activation. The "
               "recorders for PyTorch and ONNX Runtime do.\nWith the ONNX model that it was "
               "recorded from the page Improve computes the output of each layer."),
            tr("Choose ONNX &model..."));
        return m_plot->clear({});
    }
    showBody();
    const std::size_t nodes = m_document.graph().nodes.size();
    const std::size_t left = folded(m_document.graph()).nodes.size();
    m_fold->setEnabled(left < nodes);
    const QSignalBlocker silence(m_fold);
    m_fold->setChecked(nodes > mostUnfolded && left < nodes / 2);
    layOut();
}

void GraphPage::layOut()
{
    auto network = std::make_shared<GraphContent::Network>();
    network->graph = m_fold->isChecked() ? folded(m_document.graph()) : m_document.graph();
    network->layout = layoutGraph(network->graph.inputs);
    network->outputs = network->graph.outputs();
    std::vector<std::string_view> names;
    for (const GraphNode& node : network->graph.nodes)
        names.push_back(node.name);
    const NameParts parts(names);
    m_changed.clear();
    m_nodesOf.assign(m_document.tensors().size(), {});
    std::vector<GraphMark> marks;
    for (const GraphNode& node : network->graph.nodes) {
        GraphMark mark{.name = QString::fromStdString(node.name)};
        if (node.tensor)
            mark = bareMark(static_cast<int>(*node.tensor));
        if (node.block == 0)
            mark.needs = parts.needs(node.name);
        for (const std::size_t operand : node.operands)
            mark.operands.push_back(bareMark(static_cast<int>(operand)));
        for (const auto* tensors : {&node.operands, &node.folded})
            for (const std::size_t tensor : *tensors)
                m_nodesOf[tensor].push_back(marks.size());
        if (node.tensor)
            m_nodesOf[*node.tensor].push_back(marks.size());
        marks.push_back(std::move(mark));
    }
    m_plot->shown().setNetwork(std::move(network));
    m_plot->shown().setMarks(std::move(marks), colors());
    refreshAll();
    if (!m_search->text().isEmpty())
        find();
    m_plot->update(true);
    m_plot->showClosely(m_document.selected());
}

GraphColors GraphPage::colors() const
{
    return static_cast<GraphColors>(m_colors->currentIndex());
}

void GraphPage::setColors(GraphColors colors)
{
    m_colors->setCurrentIndex(static_cast<int>(colors));
    if (colors == GraphColors::Output)
        m_document.questions().layers().start();
    m_colors->setToolTip(colors == GraphColors::Running && m_running.empty()
                             ? tr("The running SQNR is that of a check: page Deploy runs one")
                             : tr("Colours of the nodes"));
    askForShares();
    refreshAll();
}

/// Not where they were not read, which would begin again whatever was cancelled.
void GraphPage::askForShares()
{
    if (colors() == GraphColors::EndShare && m_endShares.empty() && m_whyNoShares.isEmpty())
        Q_EMIT endSharesWanted();
}

void GraphPage::setEndShares(std::vector<std::optional<double>> shares, const QString& whyNot)
{
    auto* const choices = qobject_cast<QStandardItemModel*>(m_colors->model());
    QStandardItem* const choice = choices->item(static_cast<int>(GraphColors::EndShare));
    choice->setEnabled(whyNot.isEmpty());
    choice->setToolTip(whyNot);
    const bool wereKnown = !m_endShares.empty();
    m_endShares = std::move(shares);
    m_whyNoShares = whyNot;
    if (wereKnown && isVisible())  // a decision has changed them
        askForShares();
    if (colors() == GraphColors::EndShare)
        refreshAll();
}

void GraphPage::setRunning(std::vector<std::optional<double>> running)
{
    if (running == m_running)
        return;
    m_running = std::move(running);
    setColors(colors());
}

/// As the list has it: of what was accepted, else under the recipe.
std::optional<double> GraphPage::dbOf(int tensor) const
{
    if (colors() == GraphColors::Decision || colors() == GraphColors::Precision ||
        colors() == GraphColors::EndShare)
        return std::nullopt;
    if (colors() == GraphColors::Running)
        return static_cast<std::size_t>(tensor) < m_running.size()
                   ? m_running[static_cast<std::size_t>(tensor)]
                   : std::nullopt;
    if (colors() == GraphColors::Output)
        return m_outputDb[static_cast<std::size_t>(tensor)];
    if (const auto decided = m_document.previews().sqnrOfDecision(tensor))
        return decided;
    const protocol::Preview* known = m_document.previews().of(tensor);
    return known ? known->sqnrDb : std::nullopt;
}

/// What no number changes.
GraphMark GraphPage::bareMark(int tensor) const
{
    const TensorInfo& info = m_document.tensors()[static_cast<std::size_t>(tensor)];
    const double values =
        std::log2(static_cast<double>(std::max<std::uint64_t>(info.valueCount(), 1)));
    QStringList words{QString::fromStdString(info.op), shapeLabel(info)};
    words.removeAll(QString());
    return {.tensor = tensor,
            .name = QString::fromStdString(info.name),
            .before = QString::fromStdString(info.op),
            .op = words.join(QStringLiteral("   ")),
            .size =
                std::clamp((values - smallestValues) / (largestValues - smallestValues), 0.0, 1.0)};
}

void GraphPage::addNumbers(GraphMark& mark) const
{
    const auto tensor = static_cast<std::size_t>(mark.tensor);
    const Decision* decision = decisionOf(m_document, mark.tensor);
    mark.db = dbOf(mark.tensor);
    mark.isDecided = decision != nullptr;
    mark.bits = decision ? decision->choice.scheme.bits : 0;
    const protocol::Preview* preview = m_document.previews().of(mark.tensor);
    mark.counts = preview ? QList<double>(preview->sparkline.begin(), preview->sparkline.end())
                          : QList<double>();
    mark.endShare = colors() == GraphColors::EndShare && tensor < m_endShares.size()
                        ? m_endShares[tensor]
                        : std::nullopt;
    mark.facts = {mark.op};
    if (mark.db)
        mark.facts += (colors() == GraphColors::Output    ? tr("its layer's output: %1 dB")
                       : colors() == GraphColors::Running ? tr("running SQNR %1 dB")
                                                          : tr("SQNR %1 dB"))
                          .arg(dbLabel(mark.db));
    if (mark.endShare)
        mark.facts += tr("%1 % of the noise at the end").arg(fixedLabel(100.0 * *mark.endShare, 1));
    if (decision)
        mark.facts +=
            tr("accepted: %1, %2 bits").arg(QString::fromStdString(decision->label)).arg(mark.bits);
}

GraphMark GraphPage::numberedMark(int tensor) const
{
    GraphMark mark = bareMark(tensor);
    addNumbers(mark);
    return mark;
}

/// Of its worst tensor; decided where all are that can be.
GraphMark GraphPage::scopeMark(const GraphNode& scope) const
{
    GraphMark worst;
    bool isDecided = true;
    std::optional<double> sum;
    for (const std::size_t tensor : scope.folded) {
        GraphMark mark = numberedMark(static_cast<int>(tensor));
        isDecided = isDecided && (mark.isDecided || !m_document.tensors()[tensor].isReadable());
        if (mark.endShare)
            sum = sum.value_or(0.0) + *mark.endShare;
        const bool isLess =
            (mark.db && (!worst.db || *mark.db < *worst.db)) || worst.endShare < mark.endShare;
        if (worst.tensor < 0 || isLess)
            worst = std::move(mark);
    }
    worst.endShare = sum;
    worst.facts.prepend(
        (sum ? tr("%1 % of the noise at the end, most of %2").arg(fixedLabel(100.0 * *sum, 1))
             : tr("lowest: %1"))
            .arg(worst.name));
    worst.name = QString::fromStdString(scope.name);
    worst.op = tr("%1 tensors").arg(countLabel(scope.folded.size()));
    worst.before.clear();
    if (scope.blocks > 1) {
        worst.before = QStringLiteral("%1/%2").arg(scope.block).arg(scope.blocks);
        worst.op.prepend(tr("block %1 of %2   ").arg(scope.block).arg(scope.blocks));
    }
    worst.facts.prepend(worst.op);
    worst.isDecided = isDecided && !scope.folded.empty();
    worst.folded.assign(scope.folded.begin(), scope.folded.end());
    return worst;
}

void GraphPage::refreshAll()
{
    for (std::size_t node = 0; node < m_plot->shown().marks().size(); ++node)
        m_changed.insert(m_changed.end(), node);
    refresh();
}

/// The nodes whose numbers have changed.
void GraphPage::refresh()
{
    const GraphContent::Network* network = m_plot->shown().network();
    if (!m_isMade || !network)
        return;
    QElapsedTimer taken;
    taken.start();
    m_outputDb.assign(m_document.tensors().size(), std::nullopt);
    for (const LayerRow& row : m_document.questions().layers().rows())
        if (row.output >= 0)
            m_outputDb[static_cast<std::size_t>(row.output)] = row.found.outputSqnrDb;
    std::vector<GraphMark> marks = m_plot->shown().takeMarks();
    for (const std::size_t index : std::exchange(m_changed, {})) {
        const GraphNode& node = network->graph.nodes[index];
        GraphMark& mark = marks[index];
        if (node.tensor) {
            addNumbers(mark);
        } else if (!node.folded.empty()) {
            GraphMark worst = scopeMark(node);
            worst.needs = std::move(mark.needs);
            worst.operands = std::move(mark.operands);
            worst.isFound = mark.isFound;
            mark = std::move(worst);
        } else {
            mark.facts = {tr("is not in the dump")};
        }
        std::ranges::for_each(mark.operands, [this](GraphMark& each) { addNumbers(each); });
        if (!node.missing.empty()) {
            QStringList missing;
            for (const std::string& name : node.missing)
                missing += QString::fromStdString(name);
            mark.facts += tr("not in the dump: %1").arg(missing.join(QStringLiteral(", ")));
        }
    }
    m_plot->shown().setMarks(std::move(marks), colors());
    m_plot->update(false);
    refreshState();
    constexpr int mostOften =
        10;  // times what it takes: thousands of nodes take longer than a frame
    m_soon.setInterval(std::max(drawnTogetherMs, mostOften * static_cast<int>(taken.elapsed())));
}

/// What has the letters of the search.
void GraphPage::find()
{
    std::vector<GraphMark> marks = m_plot->shown().takeMarks();
    for (GraphMark& mark : marks) {
        mark.isFound = isTensorFound(mark, m_search->text());
        for (GraphMark& operand : mark.operands)
            operand.isFound = mark.isFound;
    }
    m_plot->shown().setMarks(std::move(marks), colors());
    m_plot->update(false);
    refreshState();
}

void GraphPage::refreshState()
{
    const std::vector<GraphMark>& marks = m_plot->shown().marks();
    const auto count = [&marks](const auto& counts) {
        return countLabel(static_cast<std::uint64_t>(std::ranges::count_if(marks, counts)));
    };
    QStringList facts{
        tr("%1 tensors").arg(count([](const GraphMark& mark) { return mark.tensor >= 0; }))};
    if (m_fold->isChecked())
        facts = {tr("%1 nodes of %2")
                     .arg(countLabel(marks.size()), countLabel(m_document.graph().nodes.size()))};
    if (const QString missing = count([](const GraphMark& mark) { return mark.tensor < 0; });
        missing != QStringLiteral("0"))
        facts += tr("%1 not in the dump").arg(missing);
    if (!m_search->text().isEmpty())
        facts += tr("%1 found").arg(count([](const GraphMark& mark) { return mark.isFound; }));
    facts.replaceInStrings(QStringLiteral(" "), QString(QChar::Nbsp));  // lines end between them
    if (colors() == GraphColors::EndShare && m_endShares.empty())
        facts += m_whyNoShares.isEmpty() ? tr("shares not read yet") : m_whyNoShares;
    m_state->setText(facts.join(QStringLiteral("   ")));
}

/// Behind the selected one, in the graph's order, from the end on to the first.
void GraphPage::findNext()
{
    const std::vector<GraphMark>& marks = m_plot->shown().marks();
    const auto hit = m_plot->shown().hitOf(m_document.selected());
    const std::size_t from = hit ? hit->node + 1 : 0;
    for (std::size_t step = 0; step < marks.size(); ++step)
        if (const GraphMark& mark = marks[(from + step) % marks.size()];
            mark.isFound && mark.tensor >= 0)
            return m_document.select(mark.tensor);
}

PlotView* GraphPage::currentPlot() const
{
    return m_plot;
}

}  // namespace calibscope
