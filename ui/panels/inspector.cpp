// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/inspector.h"

#include "ui/document/card_choice.h"
#include "ui/document/decisions.h"
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/document/sqnr_overview.h"
#include "ui/models/inspector_facts.h"
#include "ui/models/outcome_text.h"
#include "ui/panels/cards/add_menu.h"
#include "ui/panels/cards/card_details.h"
#include "ui/panels/cards/card_list.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/widgets/parts_label.h"
#include "ui/widgets/plot_splitter.h"

#include <QEvent>
#include <QGridLayout>
#include <QLineEdit>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <utility>

namespace calibscope {

namespace {

/// The settings of a card may have been changed since.
bool isStillOnCard(const Document& document)
{
    const std::vector<OutcomeRow>& rows = document.questions().rows();
    return std::ranges::any_of(rows, &OutcomeRow::isAccepted);
}

/// Empty for the recipe's choice, and where the recipe chooses nothing.
QString againstRecipe(const OutcomeRow& proposed, const OutcomeRow* recipes)
{
    if (proposed.isChosenRecipes || !recipes)
        return {};
    const QString gain = dbGainText(*recipes, proposed);
    return gain.isEmpty() ? DecisionStrip::tr("not the recipe's choice")
                          : DecisionStrip::tr("not the recipe's choice: %1").arg(gain);
}

/// The gain first: a long name may be cut.
QString insteadText(const OutcomeRow& proposed, const OutcomeRow* accepted)
{
    const QString label = QString::fromStdString(proposed.candidate.label);
    const QString gain = accepted ? dbGainText(*accepted, proposed) : QString();
    return gain.isEmpty() ? DecisionStrip::tr("Accept %1 instead?").arg(label)
                          : DecisionStrip::tr("%1 by %2 instead?").arg(gain, label);
}

constexpr int overviewMs = 500;

QString sectionHtml(const FactSection& section, const QString& faint)
{
    QString html = QStringLiteral("<p style='margin:14px 2px 4px 2px; color:%1'><b>%2</b></p>")
                       .arg(faint, section.title.toUpper().toHtmlEscaped());
    html += QStringLiteral("<table width='100%' cellspacing='0' cellpadding='2'>");
    for (const auto& [name, value] : section.facts)
        html += QStringLiteral("<tr><td style='color:%1; white-space:nowrap'>%2&nbsp;&nbsp;</td>"
                               "<td align='right'>%3</td></tr>")
                    .arg(faint, name.toHtmlEscaped(),
                         value.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
    html += QStringLiteral("</table>");
    for (const QString& sentence : section.sentences)
        html +=
            QStringLiteral("<p style='margin:6px 2px 0 2px'>%1</p>").arg(sentence.toHtmlEscaped());
    return html;
}

}  // namespace

DecisionStrip::DecisionStrip(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_state(new ElidedLabel(Qt::ElideMiddle, this)),
      m_note(new ElidedLabel(Qt::ElideRight, this)),
      m_accept(new QToolButton(this)),
      m_clear(new QToolButton(this)),
      m_remark(new QLineEdit(this))
{
    m_state->setObjectName(QStringLiteral("accepted"));
    m_state->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_note->setObjectName(QStringLiteral("acceptedNote"));
    QSizePolicy ofNote(QSizePolicy::Expanding, QSizePolicy::Fixed);
    ofNote.setRetainSizeWhenHidden(true);  // nothing moves under the pointer that opens a card
    m_note->setSizePolicy(ofNote);
    m_accept->setText(tr("Accept"));
    m_clear->setText(tr("Clear"));
    m_remark->setObjectName(QStringLiteral("remark"));
    m_remark->setPlaceholderText(tr("remark"));
    m_remark->setAccessibleName(tr("Remark on the decision"));
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(2, 2, 2, 4);
    grid->setSpacing(6);
    grid->addWidget(m_state, 0, 0);
    grid->addWidget(m_accept, 0, 1);
    grid->addWidget(m_clear, 0, 2);
    grid->addWidget(m_note, 1, 0, 1, 3);
    grid->addWidget(m_remark, 2, 0, 1, 3);
    connect(m_accept, &QToolButton::clicked, this,
            [this] { (void)acceptCandidate(m_document, {m_document.selected()}, m_candidate.id); });
    connect(m_clear, &QToolButton::clicked, this,
            [this] { clearDecisions(m_document, {m_document.selected()}); });
    connect(m_remark, &QLineEdit::textEdited, this, [this](const QString& remark) {
        setRemark(m_document, m_document.selected(), remark.toStdString());
    });
    connect(m_remark, &QLineEdit::editingFinished, this, [this] { m_document.endMerge(); });
}

void DecisionStrip::show(const OutcomeRow* proposed, std::span<const OutcomeRow> rows)
{
    m_candidate = proposed ? proposed->candidate.name() : CandidateName();
    const QString label = QString::fromStdString(m_candidate.label);
    const TensorInfo* tensor = m_document.selectedTensor();
    const Decision* decision = tensor ? decisionOf(m_document, m_document.selected()) : nullptr;
    const QString reason = tensor && tensor->isReadable()
                               ? notDecidableText(m_document, m_document.selected())
                               : QString();
    if (!reason.isEmpty())
        proposed = nullptr;
    setVisible(decision || proposed || !reason.isEmpty());
    m_clear->setVisible(decision);
    m_remark->setVisible(decision);
    const bool isOther =
        proposed && (!decision || decision->id != m_candidate.id || !isStillOnCard(m_document));
    m_accept->setVisible(isOther);
    m_accept->setToolTip(tr("Accepts %1 for the tensor").arg(label));
    const bool isInstead = decision && isOther;
    const auto found = std::ranges::find(
        rows, true, isInstead ? &OutcomeRow::isAccepted : &OutcomeRow::isChosenRecipes);
    const OutcomeRow* other = found == rows.end() ? nullptr : &*found;
    m_note->setText(!proposed   ? QString()
                    : isInstead ? insteadText(*proposed, other)
                                : againstRecipe(*proposed, other));
    m_note->setVisible(!m_note->text().isEmpty());
    QPalette ofNote;
    if (proposed && other && dbAgainst(*other, *proposed).value_or(0.0) < 0.0)
        ofNote.setColor(m_note->foregroundRole(),
                        readableOn(palette().color(QPalette::Base),
                                   sqnrColor(SqnrGrade::Poor, chartColors(palette()))));
    m_note->setPalette(ofNote);
    if (!decision && !reason.isEmpty())
        return m_state->setText(reason);
    if (!decision) {
        const bool isCovered = std::ranges::any_of(rows, &OutcomeRow::isChosenRecipes);
        return m_state->setText(isCovered ? tr("Accept %1?").arg(label)
                                          : tr("The recipe leaves it out. Accept %1?").arg(label));
    }
    const QString accepted = QString::fromStdString(decision->label);
    m_state->setText(isStillOnCard(m_document)
                         ? tr("✓ Accepted: %1").arg(accepted)
                         : tr("✓ Accepted: %1, with its earlier settings").arg(accepted));
    if (const QString remark = QString::fromStdString(decision->remark); remark != m_remark->text())
        m_remark->setText(remark);
}

FactView::FactView(QWidget* parent) : QTextBrowser(parent)
{
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(false);
    setAccessibleName(tr("Settings, notes and statistics"));
    document()->setDocumentMargin(0);
    viewport()->setAutoFillBackground(false);
}

void FactView::setSections(std::vector<FactSection> sections)
{
    m_sections = std::move(sections);
    render();
}

/// Nobody reads a hidden one: laid out when it is shown.
void FactView::render()
{
    if (!isVisible())
        return;
    const QString faint = palette().color(QPalette::PlaceholderText).name();
    QString html;
    for (const FactSection& section : m_sections)
        html += sectionHtml(section, faint);
    if (html != m_shown)
        showHtml(m_shown = html);
}

/// While the text is replaced it is short for a moment. A scroll bar that goes and comes with that
/// has all of it laid out three times.
void FactView::showHtml(const QString& html)
{
    if (verticalScrollBar()->isVisible())
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    setHtml(html);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
}

void FactView::showEvent(QShowEvent* event)
{
    render();
    QTextBrowser::showEvent(event);
}

void FactView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        render();
    QTextBrowser::changeEvent(event);
}

Inspector::Inspector(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_addMenu(new AddMenu(this)),
      m_addButton(new QToolButton),
      m_details(new CardDetails),
      m_cards(new CardList(m_details, m_addButton, this)),
      m_decision(new DecisionStrip(document, this)),
      m_facts(new FactView(this)),
      m_update(new QTimer(this))
{
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    layOut();
    connectCards();
    connectDetails();
    connectDocument();
    showRows();
}

void Inspector::layOut()
{
    m_addButton->setText(tr("Add calibrator or preset..."));
    m_addButton->setPopupMode(QToolButton::InstantPopup);
    m_addButton->setMenu(m_addMenu);
    m_addButton->setAutoRaise(true);
    auto* parts = new PlotSplitter(Qt::Vertical, this);
    parts->addWidget(m_cards);
    parts->addWidget(m_facts);
    parts->setUsualShares({3, 2});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 2, 4, 6);
    layout->addWidget(m_decision);
    layout->addWidget(parts);
}

void Inspector::connectCards()
{
    connect(m_cards, &CardList::tickRequested, this, [this](const std::string& id, bool isTicked) {
        edits::setTicked(m_document, id, isTicked);
    });
    connect(m_cards, &CardList::chooseRequested, this, &Inspector::toggle);
    connect(m_cards, &CardList::hovered, &cardsOf(m_document), &CardChoice::hover);
    connect(m_addMenu, &AddMenu::chosen, this, [this](const Choice& choice) {
        cardsOf(m_document).choose(edits::addChoice(m_document, choice));
    });
}

void Inspector::connectDetails()
{
    connect(m_details, &CardDetails::edited, this, &Inspector::edit);
    connect(m_details, &CardDetails::resetRequested, this,
            [this](const std::string& id) { edits::resetChoice(m_document, id); });
    connect(m_details, &CardDetails::removeRequested, this, &Inspector::remove);
    connect(m_details, &CardDetails::baselineRequested, this,
            [this](const std::string& id) { edits::setBaseline(m_document, id); });
}

void Inspector::connectDocument()
{
    // One selection is several signals: the texts are laid out once, after the plots are drawn.
    m_update->setSingleShot(true);
    const auto showSoon = qOverload<>(&QTimer::start);
    connect(m_update, &QTimer::timeout, this, &Inspector::showRows);
    connect(&m_document, &Document::selectionChanged, m_update, showSoon);
    connect(&m_document.questions(), &Questions::viewChanged, m_update, showSoon);
    connect(&m_document, &Document::tensorsChanged, m_update, showSoon);
    connect(&m_document.questions(), &Questions::studiesChanged, m_update, showSoon);
    // The numbers of all tensors: not anew for each that is read.
    m_overviewUpdate.setSingleShot(true);
    m_overviewUpdate.setInterval(overviewMs);
    connect(&m_overviewUpdate, &QTimer::timeout, this, [this] {
        if (!m_document.selectedTensor())
            showFacts();
    });
    connect(&m_document.previews(), &Previews::taken, this, [this] {
        if (!m_document.selectedTensor() && !m_overviewUpdate.isActive())
            m_overviewUpdate.start();
    });
    connect(&m_document, &Document::idle, this, [this] {
        if (!m_document.selectedTensor())
            showFacts();
    });
    connect(&m_document, &Document::changed, m_update, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Outcomes | DocumentChange::Workbench))
            m_update->start();
    });
    connect(&cardsOf(m_document), &CardChoice::chosenChanged, m_update, showSoon);
}

/// A click on the open card closes it.
void Inspector::toggle(const std::string& id)
{
    CardChoice& cards = cardsOf(m_document);
    cards.choose(cards.chosen() == id ? std::string() : id);
}

bool Inspector::focusCards()
{
    return m_cards->isVisible() && m_cards->focusCard();
}

void Inspector::edit(const std::string& id, const Choice& choice, const QString& parameter)
{
    const OutcomeRow* edited = row(id);
    if (!edited)
        return;
    if (edited->origin == OutcomeRow::Origin::Manual ||
        edited->origin == OutcomeRow::Origin::Imported)
        cardsOf(m_document).choose(edits::addChoice(m_document, choice));
    else if (choice.isSameComputation(ownChoice(*edited)))
        edits::resetChoice(m_document, id);
    else
        edits::editChoice(m_document, id, choice, parameter);
}

/// What a row computes while nothing of it was changed.
Choice Inspector::ownChoice(const OutcomeRow& row)
{
    const auto isSame = [&](const auto& other) { return other.id == row.candidate.id; };
    const auto& added = m_document.workbench().added;
    if (const auto found = std::ranges::find_if(added, isSame); found != added.end())
        return found->choice;
    if (!row.isEdited || !m_document.selectedTensor())
        return row.candidate.choice;
    const std::vector<Candidate> listed = candidatesOf(m_document, m_document.selected());
    const auto found = std::ranges::find_if(listed, isSame);
    return found == listed.end() ? row.candidate.choice : found->choice;
}

void Inspector::remove(const std::string& id)
{
    if (id == manualId)
        edits::clearManualRange(m_document);
    else if (id == importedId)
        edits::clearImported(m_document);
    else
        edits::removeAdded(m_document, id);
}

void Inspector::showRows()
{
    const TensorInfo* tensor = m_document.selectedTensor();
    const bool isReadable = tensor && tensor->isReadable();
    m_cards->setFaces(cardFaces(rows(), chartColors(palette())));
    if (std::exchange(m_shown, m_document.selected()) != m_shown)
        m_cards->showAnew();
    m_cards->choose(cardsOf(m_document).chosen());
    m_cards->setVisible(isReadable);
    if (tensor)
        m_addMenu->setRole(tensor->role);
    const OutcomeRow* decidable = detailedRow();
    m_decision->show(tensor && tensor->holdsIntegers() ? nullptr : decidable, rows());
    showDetails();
    showFacts();
}

void Inspector::showDetails()
{
    const OutcomeRow* chosen = row(cardsOf(m_document).chosen());
    if (!chosen)
        return;
    m_details->showCandidate({.row = *chosen, .first = ownChoice(*chosen)});
}

/// Of a tensor that can be read.
const std::vector<OutcomeRow>& Inspector::rows() const
{
    static const std::vector<OutcomeRow> none;
    const TensorInfo* tensor = m_document.selectedTensor();
    return tensor && tensor->isReadable() ? m_document.questions().rows() : none;
}

const OutcomeRow* Inspector::row(const std::string& id) const
{
    const std::vector<OutcomeRow>& rows = this->rows();
    const auto found =
        std::ranges::find(rows, id, [](const OutcomeRow& row) { return row.candidate.id; });
    return found == rows.end() ? nullptr : &*found;
}

/// nullptr without rows.
const OutcomeRow* Inspector::detailedRow() const
{
    return proposedRow(rows());
}

void Inspector::showFacts()
{
    std::vector<FactSection> sections;
    if (const protocol::TensorView* view = m_document.questions().reader().result())
        sections.push_back(statisticsFacts(view->profile));
    if (const OutcomeRow* detailed = detailedRow(); detailed && detailed->hasResult())
        sections.push_back(resultFacts(*detailed));
    if (const OutcomeRow* detailed = detailedRow())
        if (const StudyReader::Found found =
                m_document.questions().study(detailed->candidate.choice);
            found.study)
            sections.push_back(studyFacts(*found.study));
    if (const TensorInfo* tensor = m_document.selectedTensor())
        sections.push_back(provenanceFacts(*tensor));
    else if (m_document.dumpState() == Document::DumpState::Open)
        addDumpFacts(sections);
    m_facts->setSections(std::move(sections));
}

/// While no tensor is chosen: the recipe, and how the tensors stand.
void Inspector::addDumpFacts(std::vector<FactSection>& sections) const
{
    const SqnrLimits limits = sqnrLimits();
    std::ranges::move(recipeFacts(m_document.chosenRecipe()), std::back_inserter(sections));
    if (FactSection facts = overviewFacts(sqnrOverview(m_document, limits.good), limits);
        !facts.facts.empty())
        sections.push_back(std::move(facts));
}

void Inspector::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_update)
        m_update->start();  // in the colours of the new theme
    QWidget::changeEvent(event);
}

}  // namespace calibscope
