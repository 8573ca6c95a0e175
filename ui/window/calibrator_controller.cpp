// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/calibrator_controller.h"

#include "ui/document/card_choice.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"
#include "ui/models/card_order.h"
#include "ui/theme/plain_text.h"
#include "ui/window/preferences.h"

#include <QLabel>
#include <QToolBar>

#include <algorithm>
#include <iterator>

namespace calibscope {

namespace {

QString statementsOf(const Recipe& recipe)
{
    QStringList paragraphs{QString::fromStdString(recipe.source)};
    for (const std::string& sentence : recipe.states)
        paragraphs += QString::fromStdString(sentence);
    return paragraphs.join(QStringLiteral("\n\n"));
}

std::vector<OutcomeRow> inCardOrder(const std::vector<OutcomeRow>& rows)
{
    std::vector<OutcomeRow> ordered;
    for (const std::size_t place : cardOrder(rows))
        ordered.push_back(rows[place]);
    return ordered;
}

}  // namespace

RecipeChoice::RecipeChoice(const Recipe& chosen, QWidget* parent) : QComboBox(parent)
{
    for (const Recipe& recipe : recipes()) {
        addItem(QString::fromStdString(recipe.title), QString::fromStdString(recipe.id));
        setItemData(count() - 1, statementsOf(recipe), Qt::ToolTipRole);
    }
    setChosen(chosen);
    setToolTip(tr("Chooses a calibrator for each tensor. Its SQNR is shown in the list, its "
                  "threshold is emphasised."));
    connect(this, &QComboBox::activated, this,
            [this] { Q_EMIT recipeChosen(currentData().toString()); });
}

void RecipeChoice::setChosen(const Recipe& recipe)
{
    setCurrentIndex(findData(QString::fromStdString(recipe.id)));
}

CalibratorController::CalibratorController(Document& document, Preferences& preferences,
                                           QToolBar& toolBar)
    : m_document(document),
      m_toolBar(toolBar),
      m_recipes(new RecipeChoice(document.chosenRecipe(), &toolBar))
{
    addChoice(preferences);
    connect(&document, &Document::selectionChanged, this, &CalibratorController::list);
    connect(&document, &Document::changed, this, [this](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Recipe))
            m_recipes->setChosen(m_document.chosenRecipe());
        if (change.concerns(DocumentChange::Ticks))
            list();
        else if (change.concerns(DocumentChange::Outcomes | DocumentChange::Recipe))
            listIfMoved();
    });
    connect(&cardsOf(document), &CardChoice::chosenChanged, this, &CalibratorController::changed);
}

void CalibratorController::list()
{
    m_rows = inCardOrder(m_document.questions().rows());
    Q_EMIT changed();
}

/// Results come many a second; which card is where changes with the last one.
void CalibratorController::listIfMoved()
{
    const std::vector<OutcomeRow>& rows = m_document.questions().rows();
    const std::vector<std::size_t> order = cardOrder(rows);
    const bool isSame =
        std::ranges::equal(order, m_rows, [&rows](std::size_t place, const OutcomeRow& told) {
            return rows[place].candidate.name() == told.candidate.name();
        });
    if (!isSame)
        list();
}

void CalibratorController::addChoice(Preferences& preferences)
{
    m_toolBar.addSeparator();
    auto* label = new PlainLabel(tr("&Recipe:"), &m_toolBar);
    label->setContentsMargins(8, 0, 6, 0);
    label->setBuddy(m_recipes);
    m_toolBar.addWidget(label);
    m_toolBar.addWidget(m_recipes);
    connect(m_recipes, &RecipeChoice::recipeChosen, this, [this, &preferences](const QString& id) {
        edits::chooseRecipe(m_document, id);
        preferences.setRecipe(id);
    });
}

void CalibratorController::focusRecipes()
{
    m_toolBar.show();
    m_recipes->setFocus(Qt::ShortcutFocusReason);
    m_recipes->showPopup();
}

bool CalibratorController::isTicked(int place) const
{
    return isListed(place) && m_rows[static_cast<std::size_t>(place)].isTicked;
}

/// As the calibrator is called.
QString CalibratorController::tickLabel(int place) const
{
    return QStringLiteral("&%1 %2").arg(
        QString::number(place + 1),
        isListed(place)
            ? QString::fromStdString(m_rows[static_cast<std::size_t>(place)].candidate.label)
            : tr("no calibrator"));
}

/// The keys were given for rows that may have gone: a dump is being opened.
std::optional<std::string> CalibratorController::idAt(int place) const
{
    const std::vector<OutcomeRow>& rows = m_document.questions().rows();
    const std::vector<std::size_t> order = cardOrder(rows);
    const auto at = static_cast<std::size_t>(place);
    return at < order.size() ? std::optional(rows[order[at]].candidate.id) : std::nullopt;
}

void CalibratorController::tick(int place, bool isTicked)
{
    if (const std::optional<std::string> id = idAt(place))
        edits::setTicked(m_document, *id, isTicked);
}

void CalibratorController::open(int place, bool isOpen)
{
    if (const std::optional<std::string> id = idAt(place))
        cardsOf(m_document).choose(isOpen ? *id : std::string());
}

bool CalibratorController::isOpen(int place) const
{
    return isListed(place) &&
           m_rows[static_cast<std::size_t>(place)].candidate.id == cardsOf(m_document).chosen();
}

bool CalibratorController::hasOpenCard() const
{
    return m_document.dumpState() == Document::DumpState::Open &&
           !cardsOf(m_document).chosen().empty();
}

bool CalibratorController::isBaselineOpen() const
{
    const std::string& open = cardsOf(m_document).chosen();
    return !open.empty() && open == m_document.workbench().baseline;
}

void CalibratorController::setBaseline(bool isBaseline)
{
    edits::setBaseline(m_document, isBaseline ? cardsOf(m_document).chosen() : std::string());
}

}  // namespace calibscope
