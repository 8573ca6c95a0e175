// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/calibrators/calibrators_page.h"

#include "ui/document/card_choice.h"
#include "ui/document/document.h"
#include "ui/document/questions.h"
#include "ui/pages/calibrators/explain_view.h"
#include "ui/pages/calibrators/format_plots.h"
#include "ui/pages/calibrators/formats_view.h"
#include "ui/pages/calibrators/matrix_view.h"
#include "ui/panels/curves_view.h"
#include "ui/panels/diagnosis_strip.h"
#include "ui/panels/neighbour_chips.h"
#include "ui/panels/small_multiples.h"
#include "ui/panels/tensor_header.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/state_notice.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace calibscope {

CalibratorsPage::CalibratorsPage(Document& document, QWidget* parent)
    : WorkspacePage(parent),
      m_document(document),
      m_curves(new CurvesView(document, this)),
      m_sideBySide(new SmallMultiples(document, this)),
      m_matrix(new MatrixView(document, this)),
      m_explain(new ExplainView(document, this)),
      m_formats(new FormatsView(document, this)),
      m_views(new Segments(this)),
      m_header(new TensorHeader(document, this)),
      m_stack(new QStackedWidget(this))
{
    for (QWidget* view :
         std::initializer_list<QWidget*>{m_curves, m_sideBySide, m_matrix, m_explain, m_formats})
        m_stack->addWidget(view);
    QWidget* header = makeHeader();
    m_diagnosis = new DiagnosisStrip(document, this);
    fillWith(m_stack, {header, m_diagnosis});
    layout()->setContentsMargins(16, 10, 12, 8);
    connect(m_views, &Segments::chosen, this, &CalibratorsPage::showState);
    connect(m_curves, &CurvesView::explained, m_diagnosis, &DiagnosisStrip::explain);
    connect(m_matrix, &MatrixView::cellChosen, this, &CalibratorsPage::goTo);
    connect(m_explain, &ExplainView::cardAdded, &cardsOf(document), &CardChoice::choose);
    connect(m_curves, &CurvesView::readoutChanged, this, &CalibratorsPage::readoutChanged);
    connect(m_sideBySide, &SmallMultiples::readoutChanged, this, &CalibratorsPage::readoutChanged);
    connect(m_formats, &FormatsView::readoutChanged, this, &CalibratorsPage::readoutChanged);
    connect(m_notice, &StateNotice::buttonClicked, &document.questions(), &Questions::readAgain);
    connect(m_header, &TensorHeader::channelChosen, &document,
            [&document](std::optional<quint64> channel) {
                document.questions().chooseChannel(channel);
            });
    connect(&document, &Document::selectionChanged, this, &CalibratorsPage::showTensor);
    connect(&document.questions(), &Questions::partChanged, this, &CalibratorsPage::showTensor);
    connect(&document.questions(), &Questions::viewChanged, this, &CalibratorsPage::showState);
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Outcomes))
            m_explain->showRows();
        if (change.concerns(DocumentChange::Display))
            showState();
    });
    showTensor();
    showState();
}

QWidget* CalibratorsPage::makeHeader()
{
    auto* header = new QWidget(this);
    m_neighbours = new QWidget(header);
    m_views->setAccessibleName(tr("View of the calibrators"));
    m_views->add(tr("C&urves"), tr("Histogram, curves and the table of results"));
    m_views->add(tr("&Panels"), tr("A histogram for each calibrator"));
    m_views->add(tr("A&ll tensors"), tr("Calibrators by tensors, as a table of colours"));
    m_views->add(tr("E&xplain"), tr("Steps from one choice to another"));
    m_views->add(tr("For&mats"), tr("SQNR against bits under number formats, and their blocks"));
    auto* neighbours = new QVBoxLayout(m_neighbours);
    neighbours->setContentsMargins({});
    neighbours->addWidget(&m_header->neighbours());
    auto* line = new QHBoxLayout;
    line->addWidget(m_neighbours, 1);
    line->addStretch(0);
    line->addWidget(m_views);
    auto* layout = new QVBoxLayout(header);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    layout->addWidget(m_header);
    layout->addLayout(line);
    return header;
}

/// Says why nothing of the selected tensor can be shown, and what to do about it. False if there is
/// something to show, or soon will be.
bool CalibratorsPage::saysReaderState()
{
    const ViewQuery& reader = m_document.questions().reader();
    switch (reader.state()) {
    case QueryState::State::Ready:
    case QueryState::State::Reading: return false;
    case QueryState::State::Stopped:
        say(tr("Stopped"), tr("Reading was stopped before all values of this tensor were counted."),
            tr("Continue"));
        return true;
    case QueryState::State::Failed:
        say(tr("This tensor could not be read"),
            reader.hasEngineDied() ? tr("The engine quit unexpectedly while reading. A new one "
                                        "starts with the next tensor.")
                                   : reader.problem(),
            tr("Try again"));
        return true;
    case QueryState::State::Idle:
        if (const TensorInfo* tensor = m_document.selectedTensor())
            say(tr("This tensor can't be read"),
                QString::fromStdString(tensor->unreadable.sentence));
        else
            say(tr("No tensor"), tr("Select a tensor to compare calibrators on it."));
        return true;
    }
    return false;
}

void CalibratorsPage::showPart(QWidget* part)
{
    m_stack->setCurrentWidget(part);
    showBody();
}

CalibratorsPage::View CalibratorsPage::shownView() const
{
    return static_cast<View>(m_views->current());
}

void CalibratorsPage::showView(View view)
{
    m_views->setCurrent(static_cast<int>(view));
    showState();
}

PlotView* CalibratorsPage::currentPlot() const
{
    if (showsNotice())
        return nullptr;
    if (m_stack->currentWidget() == m_sideBySide)
        return m_sideBySide->currentPlot();
    if (m_stack->currentWidget() == m_formats)
        return &m_formats->plots().current();
    return m_stack->currentWidget() == m_curves ? m_curves->currentPlot() : nullptr;
}

void CalibratorsPage::setListed(std::optional<std::vector<int>> listed)
{
    m_matrix->setListed(std::move(listed));
}

void CalibratorsPage::showTensor()
{
    const bool isOfOne = shownView() != View::AllTensors;
    m_neighbours->setVisible(isOfOne);
    m_header->setVisible(isOfOne);
    m_header->setTensor(isOfOne ? m_document.selectedTensor() : nullptr,
                        m_document.questions().part().channel, shownView() != View::Formats);
}

void CalibratorsPage::showState()
{
    if (!isVisible())
        return;
    showTensor();
    m_diagnosis->setWanted(shownView() != View::AllTensors);
    if (shownView() == View::AllTensors)
        return showPart(m_matrix);
    if (saysReaderState())
        return;
    if (shownView() == View::Formats) {
        showPart(m_formats);
        return m_formats->showTensor();
    }
    if (shownView() == View::Explain) {
        showPart(m_explain);
        return m_explain->showRows();
    }
    const bool isRead = m_document.questions().reader().result() != nullptr;
    if (shownView() == View::SideBySide) {
        showPart(m_sideBySide);
        return isRead ? m_sideBySide->showView() : m_sideBySide->showReading();
    }
    showPart(m_curves);
    isRead ? m_curves->showView() : m_curves->showReading();
}

/// A page that nobody sees is not kept up to date.
void CalibratorsPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    showState();
}

/// From a cell of the matrix to the curves of its tensor, with its card open.
void CalibratorsPage::goTo(int tensor, const std::string& candidate)
{
    m_document.select(tensor);
    if (!candidate.empty())
        cardsOf(m_document).choose(candidate);
    showView(View::Curves);
}

}  // namespace calibscope
