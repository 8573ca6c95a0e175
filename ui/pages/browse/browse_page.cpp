// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/browse/browse_page.h"

#include "ui/charts/histogram_content.h"
#include "ui/document/questions.h"
#include "ui/pages/browse/browse_plots.h"
#include "ui/panels/diagnosis_strip.h"
#include "ui/panels/layout_override_editor.h"
#include "ui/panels/layout_strip.h"
#include "ui/panels/tensor_header.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/state_notice.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QTimer>

namespace calibscope {

namespace {

constexpr int partMs = 1500;
constexpr int flickerMs = 300;  // a reading that ends sooner goes from plot to plot

}  // namespace

BrowsePage::BrowsePage(Document& document, QWidget* parent)
    : WorkspacePage(parent),
      m_document(document),
      m_header(new TensorHeader(document, this)),
      m_strip(new LayoutStrip(document, this)),
      m_editor(new LayoutOverrideEditor(document, this)),
      m_plots(new BrowsePlots(document, this)),
      m_stopped(new MessageBar(this)),
      m_patience(new QTimer(this))
{
    fillWith(m_plots, {m_header, new DiagnosisStrip(document, this), m_strip, m_editor, m_stopped});
    m_patience->setSingleShot(true);
    connect(m_patience, &QTimer::timeout, this, &BrowsePage::showReading);
    connect(m_strip, &LayoutStrip::changeRequested, this, &BrowsePage::editLayoutOverride);
    connect(m_plots, &BrowsePlots::readoutChanged, this, &BrowsePage::readoutChanged);
    connect(m_plots, &BrowsePlots::valuesWanted, this, &BrowsePage::valuesWanted);
    connect(m_header, &TensorHeader::channelChosen, &document,
            [&document](std::optional<quint64> channel) {
                document.questions().chooseChannel(channel);
            });
    connect(
        m_plots, &BrowsePlots::batchesChosen, &document,
        [&document](std::optional<quint64> batches) { document.questions().showBatches(batches); });
    connect(m_notice, &StateNotice::buttonClicked, &document.questions(), &Questions::readAgain);
    connectDocument();
    showSelection();
    showState();
}

void BrowsePage::connectDocument()
{
    connect(&m_document, &Document::selectionChanged, this, &BrowsePage::showSelection);
    connect(&m_document.questions(), &Questions::partChanged, this, &BrowsePage::showSelection);
    connect(&m_document, &Document::tensorsChanged, this, &BrowsePage::showSelection);
    connect(&m_document.questions(), &Questions::viewChanged, this, &BrowsePage::followReader);
    connect(&m_document.questions(), &Questions::progressed, this, &BrowsePage::follow);
    connect(&m_document.questions(), &Questions::firstBatchRead, this, [this] {
        if (m_document.questions().reader().state() == QueryState::State::Stopped)
            showStopped();
    });
    connect(&m_document.questions(), &Questions::stripChanged, this, &BrowsePage::showMarks);
    connect(&m_document.questions(), &Questions::studiesChanged, this, &BrowsePage::showMarks);
    connect(&m_document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Display))
            showState();
        else if (change.concerns(DocumentChange::Outcomes | DocumentChange::Workbench))
            showMarks();
    });
}

void BrowsePage::editLayoutOverride()
{
    m_editor->edit();
}

void BrowsePage::fit()
{
    m_plots->histogram().fit();
}

PlotView* BrowsePage::currentPlot() const
{
    return m_plots->currentPlot();
}

void BrowsePage::copyFacts() const
{
    const QString facts = m_plots->hoveredFacts();
    if (facts.isEmpty())
        currentPlot()->copyData();
    else
        QGuiApplication::clipboard()->setText(facts);
}

void BrowsePage::focusThreshold()
{
    m_plots->focusThreshold();
}

void BrowsePage::focusChannel()
{
    m_header->focusChannel();
}

void BrowsePage::focusBatches()
{
    m_plots->focusBatches();
}

QString BrowsePage::reasonAgainst(Secondary secondary) const
{
    return m_plots->reasonAgainst(secondary);
}

void BrowsePage::showWhereValuesLie()
{
    m_plots->showWhereValuesLie();
}

const HistogramPlot& BrowsePage::histogram() const
{
    return m_plots->histogram();
}

void BrowsePage::showSelection()
{
    m_header->setTensor(m_document.selectedTensor(), m_document.questions().part().channel);
}

void BrowsePage::followReader()
{
    if (m_document.questions().reader().isReading())
        if (const TensorInfo* tensor = m_document.selectedTensor()) {
            m_words.start(*tensor);
            m_readingFor.start();
        }
    showState();
}

void BrowsePage::follow(double share)
{
    m_words.setShare(share, m_readingFor.elapsed());
    if (m_document.questions().reader().isReading() && !m_patience->isActive())
        showReading();
}

void BrowsePage::showState()
{
    m_patience->stop();
    m_stopped->hide();
    switch (m_document.questions().reader().state()) {
    case QueryState::State::Ready:
        m_plots->showView(m_document.questions().reader().shared());
        showBody();
        return;
    case QueryState::State::Reading:
        // Another part of the tensor that is shown takes its place when it is there.
        return m_patience->start(m_document.questions().part().isWhole() ? flickerMs : partMs);
    case QueryState::State::Stopped: return showStopped();
    case QueryState::State::Failed:
        return sayInstead(
            tr("This tensor could not be read"),
            m_document.questions().reader().hasEngineDied()
                ? tr("The engine quit unexpectedly while reading. A new one starts with the "
                     "next tensor.")
                : m_document.questions().reader().problem(),
            tr("Try again"));
    case QueryState::State::Idle:
        if (const TensorInfo* tensor = m_document.selectedTensor())
            sayInstead(tr("This tensor can't be read"),
                       QString::fromStdString(tensor->unreadable.sentence));
        else if (m_document.dumpState() == Document::DumpState::Open)
            sayInstead(tr("No tensor"), tr("This file contains no dataset that can be shown."));
        return;
    }
}

void BrowsePage::showMarks()
{
    if (m_document.questions().reader().result())
        m_plots->showMarks();
}

void BrowsePage::showReading()
{
    if (const ViewQuery::Shared first = m_document.questions().firstBatch())
        m_plots->showFirstBatch(first, m_words.text());
    else
        m_plots->clear(m_words.text());
    showBody();
}

/// The first batch stays, if it is there: numbers of a part, and said to be.
void BrowsePage::showStopped()
{
    const ViewQuery::Shared first = m_document.questions().firstBatch();
    if (!first)
        return sayInstead(tr("Stopped"),
                          m_words.stoppedText() + u' ' +
                              tr("Numbers are shown once the rest of the values has been read."),
                          tr("Continue"));
    m_plots->showFirstBatch(first, {});
    showBody();
    m_stopped->say(m_words.stoppedText() + u' ' + m_words.firstBatchText(),
                   {{tr("Continue"), [this] { m_document.questions().readAgain(); }}});
}

void BrowsePage::sayInstead(const QString& title, const QString& sentence, const QString& button)
{
    m_plots->clear({});
    say(title, sentence, button);
}

}  // namespace calibscope
