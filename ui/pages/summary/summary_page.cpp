// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/summary_page.h"

#include "ui/document/dump_summary.h"
#include "ui/document/edits.h"
#include "ui/document/previews.h"
#include "ui/document/questions.h"
#include "ui/document/tensor_diagnosis.h"
#include "ui/pages/summary/best_offer.h"
#include "ui/pages/summary/summary_rows.h"
#include "ui/panels/sqnr_strip.h"
#include "ui/panels/summary_card.h"
#include "ui/plot/number_label.h"
#include "ui/queries/addresses.h"
#include "ui/queries/dump_requests.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/sqnr_limits.h"
#include "ui/theme/translate.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QDir>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace calibscope {

namespace {

constexpr int worstUpdateMs = 400;
constexpr int twoColumnsPixels = 560;
constexpr int threeColumnsPixels = 900;
constexpr int stepColumns = 2;
constexpr std::size_t worstShown = 6;
constexpr std::size_t unreadableShown = 6;
constexpr std::size_t findingIds = 14;  // all are reported

QLabel* makeLabel(double sizeFactor, bool bold, QWidget* parent)
{
    auto* label = new PlainLabel(parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * sizeFactor);
    font.setBold(bold);
    label->setFont(font);
    return label;
}

QString shortFolder(const QString& folder)
{
    const QString home = QDir::homePath() + u'/';
    return folder.startsWith(home) ? QStringLiteral("~/") + folder.mid(home.size()) : folder;
}

}  // namespace

SummaryPage::SummaryPage(Document& document, QWidget* parent)
    : QScrollArea(parent),
      m_document(document),
      m_update(new QTimer(this)),
      m_worstUpdate(new QTimer(this)),
      m_failed(new QTimer(this))
{
    auto* content = new QWidget;
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    setAccessibleName(tr("Summary"));
    setFocusPolicy(Qt::ClickFocus);  // without a ring: no stop of Tab
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(20, 16, 20, 20);
    layout->setSpacing(14);
    m_strip = new MessageBar(content);
    m_uncovered = new MessageBar(content);
    layout->addWidget(makeHeader());
    layout->addWidget(m_strip);
    layout->addWidget(m_uncovered);
    layout->addWidget(makeOverview());
    m_steps = new QGridLayout;
    m_steps->setSpacing(8);
    layout->addLayout(m_steps);
    m_grid = new QGridLayout;
    m_grid->setSpacing(12);
    layout->addLayout(m_grid);
    layout->addStretch();
    setWidget(content);
    makeCards();

    m_update->setSingleShot(true);
    m_worstUpdate->setSingleShot(true);
    m_worstUpdate->setInterval(worstUpdateMs);
    m_failed->setSingleShot(true);
    m_failed->setInterval(worstUpdateMs);
    connect(m_failed, &QTimer::timeout, this, &SummaryPage::showAll);
    connect(m_update, &QTimer::timeout, this, &SummaryPage::showAll);
    connect(m_worstUpdate, &QTimer::timeout, this, &SummaryPage::showWorst);
    connect(&document, &Document::dumpChanged, this, &SummaryPage::updateLater);
    connect(&document, &Document::tensorsChanged, this, &SummaryPage::updateLater);
    const auto updateWorst = [this] {
        if (!m_worstUpdate->isActive() && isVisible())
            m_worstUpdate->start();
    };
    connect(&document.previews(), &Previews::taken, this, updateWorst);
    connect(&document.previews(), &Previews::failed, this, [this] {
        m_isStale = true;
        if (!m_failed->isActive() && isVisible())
            m_failed->start();
    });
    connect(&document, &Document::changed, this, [this, updateWorst](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Recipe) && isVisible())
            showCoverage();
        if (change.concerns(DocumentChange::Recipe | DocumentChange::Workbench |
                            DocumentChange::Display))
            updateWorst();
    });
    connect(&document.questions().matrix(), &MatrixReader::stopped, this, updateWorst);
    connect(&document, &Document::idle, this, [this] {
        if (m_isStale && isVisible())
            return showAll();  // those that failed, too
        showWorst();
    });
}

QWidget* SummaryPage::makeHeader()
{
    auto* header = new QWidget;
    auto* layout = new QVBoxLayout(header);
    layout->setContentsMargins({});
    layout->setSpacing(2);
    m_name = makeLabel(1.7, true, header);
    m_place = makeLabel(1.0, false, header);
    m_place->setForegroundRole(QPalette::PlaceholderText);
    m_place->setWordWrap(true);
    m_totals = makeLabel(1.0, false, header);
    m_totals->setWordWrap(true);
    auto* line = new QHBoxLayout;
    line->addWidget(m_name, 1);
    line->addWidget(makeButtons());
    layout->addLayout(line);
    layout->addWidget(m_place);
    layout->addWidget(m_totals);
    return header;
}

QWidget* SummaryPage::makeOverview()
{
    auto* overview = new CardFrame;
    auto* layout = new QVBoxLayout(overview);
    layout->setContentsMargins(16, 12, 16, 10);
    layout->setSpacing(6);
    m_sentence = makeLabel(1.15, true, overview);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_caption = makeLabel(0.95, false, overview);
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    m_caption->setWordWrap(true);
    m_bars = new SqnrStrip([this](int tensor) { return toldOf(tensor); }, overview);
    m_best = new BestOffer(m_document, overview);
    connect(m_best, &BestOffer::changed, this, &SummaryPage::showOverview);
    connect(m_best, &BestOffer::requested, this, &SummaryPage::bestRequested);
    layout->addWidget(m_sentence);
    layout->addWidget(m_caption);
    layout->addWidget(m_bars);
    layout->addWidget(m_best);
    connect(m_bars, &SqnrStrip::tensorChosen, &m_document, &Document::select);
    return overview;
}

void SummaryPage::addStep(const QString& text, QAction& action)
{
    auto* button = new QPushButton(widget());
    button->setAutoDefault(true);  // Return presses what has the focus
    button->setToolTip(action.statusTip());
    button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);  // columns of one width
    const auto follow = [button, text, &action] {
        const QString keys = action.shortcut().toString(QKeySequence::NativeText);
        button->setText(keys.isEmpty() ? text : tr("%1   (%2)").arg(text, keys));
        button->setEnabled(action.isEnabled());
    };
    follow();
    connect(&action, &QAction::changed, button, follow);
    connect(button, &QPushButton::clicked, &action, &QAction::trigger);
    m_steps->addWidget(button, m_steps->count() / stepColumns, m_steps->count() % stepColumns);
}

void SummaryPage::addEnd(Deployment& deployment)
{
    m_best->addEnd(deployment);
}

QWidget* SummaryPage::makeButtons()
{
    auto* buttons = new QWidget;
    auto* layout = new QHBoxLayout(buttons);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    const auto add = [&](const QString& text, const char* name, auto apply) {
        auto* button = new QPushButton(text, buttons);
        button->setObjectName(QLatin1String(name));
        connect(button, &QPushButton::clicked, this, apply);
        layout->addWidget(button);
        return button;
    };
    add(tr("&Browse first tensor"), "browseFirst",
        [this] { m_document.select(firstToShow(m_document.tensors())); });
    m_firstGuess = add(tr("Show first &guess"), "showFirstGuess", [this] {
        Q_EMIT guessRequested(summarise(m_document.tensors()).firstGuess);
    });
    return buttons;
}

void SummaryPage::makeCards()
{
    const std::array titled = {
        std::pair{&m_decisions, tr("Decisions")},
        std::pair{&m_worst, tr("Lowest SQNR under the chosen recipe")},
        std::pair{&m_findings, tr("Diagnosis")},
        std::pair{&m_warnings, tr("Warnings")},
        std::pair{&m_unreadable, tr("Can't be read")},
        std::pair{&m_roles, tr("Roles")},
        std::pair{&m_rules, tr("How roles and axes were determined")},
        std::pair{&m_attributes, tr("Recorded with the dump")},
        std::pair{&m_storage, tr("Storage")},
    };
    for (const auto& [card, title] : titled) {
        *card = new SummaryCard(title, widget());
        connect(*card, &SummaryCard::linkActivated, this, &SummaryPage::follow);
    }
    placeCards();
}

/// In the order of the page.
std::vector<SummaryCard*> SummaryPage::cards() const
{
    return {m_decisions, m_unreadable, m_warnings,   m_worst,  m_findings,
            m_roles,     m_rules,      m_attributes, m_storage};
}

/// As many columns as have room; what was decided, what warns, and what is stored, has the whole
/// width. The short ones stand under one another beside the long ones.
void SummaryPage::placeCards()
{
    const int width = viewport()->width();
    const int columns = width >= threeColumnsPixels ? 3 : width >= twoColumnsPixels ? 2 : 1;
    const std::array<SummaryCard*, 3> shorts = {m_roles, m_rules, m_attributes};
    int row = 0;
    const auto addWhole = [&](SummaryCard* card) { m_grid->addWidget(card, row++, 0, 1, columns); };
    for (SummaryCard* card : {m_decisions, m_unreadable, m_warnings})
        addWhole(card);
    if (columns == 1) {
        addWhole(m_worst);
        addWhole(m_findings);
    } else {
        const int height = columns == 3 ? static_cast<int>(shorts.size()) : 1;
        m_grid->addWidget(m_worst, row, 0, height, 1);
        m_grid->addWidget(m_findings, row, 1, height, 1);
        row += columns == 3 ? 0 : 1;
    }
    for (SummaryCard* card : shorts) {
        if (columns == 3)
            m_grid->addWidget(card, row++, 2);
        else if (columns == 2 && card != m_attributes)
            m_grid->addWidget(card, row, card == m_roles ? 0 : 1);
        else
            addWhole(card);
        row += columns == 2 && card == m_rules ? 1 : 0;
    }
    addWhole(m_storage);
    constexpr int mostColumns = 3;
    for (int column = 0; column < mostColumns; ++column)
        m_grid->setColumnStretch(column, column < columns ? 1 : 0);
}

/// Tab goes down the page: rows of the cards are made again and again, and would be the last ones.
void SummaryPage::orderStops()
{
    QWidget* last = this;
    const std::function<void(const QLayout&)> take = [&](const QLayout& layout) {
        for (int index = 0; index < layout.count(); ++index) {
            QLayoutItem& item = *layout.itemAt(index);
            QWidget* widget = item.widget();
            if (widget && (widget->focusPolicy() & Qt::TabFocus) != 0) {
                setTabOrder(last, widget);
                last = widget;
            }
            if (const QLayout* inner = widget ? widget->layout() : item.layout())
                take(*inner);
        }
    };
    take(*widget()->layout());
}

void SummaryPage::showEvent(QShowEvent* event)
{
    if (m_isStale)
        showAll();
    showWorst();
    QScrollArea::showEvent(event);
}

void SummaryPage::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    placeCards();
}

void SummaryPage::updateLater()
{
    m_isStale = true;
    if (isVisible())
        m_update->start();
}

void SummaryPage::showAll()
{
    if (m_document.dumpState() != Document::DumpState::Open)
        return;
    m_isStale = false;
    showCoverage();
    const DumpSummary summary = summarise(m_document.tensors());
    showTotals(summary);
    m_roles->setRows(shareRows(summary.roles, summary.tensors));
    m_rules->setRows(ruleRows(summary, m_document.dump().rules));
    m_storage->setRows({shareLine(tr("Element types"), summary.types),
                        shareLine(tr("Compression"), summary.storages)});
    m_attributes->setRows(attributeRows(m_document.dump().attributes));
    m_warnings->setRows(warningRows(m_document.dump().warnings));
    showUnreadable(summary);
    showWorst();
}

/// What the file's structure tells at once, and what reading has found since.
void SummaryPage::showUnreadable(const DumpSummary& summary)
{
    const std::map<int, QString>& problems = m_document.previews().shared()->problems;
    std::vector<CardRow> rows = unreadableRows(summary, m_document.tensors());
    std::uint64_t count = problems.size();
    for (const UnreadableTensors& group : summary.unreadable)
        count += group.tensors.size();
    for (CardRow& row : failedRows(problems, m_document.tensors()))
        rows.push_back(std::move(row));
    if (count > 1)
        rows.insert(rows.begin(),
                    {.name = tr("%1 of %2").arg(countLabel(count), tensorsText(summary.tensors)),
                     .value = {},
                     .link = QStringLiteral("filter:is:unreadable")});
    m_unreadable->setRows(rows, unreadableShown);
}

void SummaryPage::showTotals(const DumpSummary& summary)
{
    const QString& path = m_document.path();
    m_name->setText(path.section(u'/', -1));
    m_place->setText(isFarAway(path) ? path.section(u'/', 0, -2) : shortFolder(folderHere(path)));
    m_place->setToolTip(path);
    m_totals->setText(tr("%1,  %2,  %3 in the file,  %4 as float32")
                          .arg(tensorsText(summary.tensors),
                               summary.values == 1
                                   ? tr("1 value")
                                   : tr("%1 values").arg(largeCountLabel(summary.values)),
                               bytesLabel(m_document.dump().identity.bytes),
                               bytesLabel(summary.values * sizeof(float))));
    m_firstGuess->setVisible(summary.guesses > 0);
    m_firstGuess->setText(tr("Show first of %1 &guesses").arg(countLabel(summary.guesses)));
    if (summary.guesses == 1)
        m_firstGuess->setText(tr("Show the &guess"));
    if (summary.firstNeedingOtherFiles >= 0 && !m_document.allowsExternal())
        m_strip->say(
            tr("Some tensors are stored in other files, which are read only if you allow it."),
            {{tr("Reopen and read other files"), [this] { m_document.reloadWithExternal(); }}});
    else
        m_strip->hide();
}

void SummaryPage::showWorst()
{
    if (!isVisible() || m_document.dumpState() != Document::DumpState::Open)
        return;
    m_worst->setRows(worstRows(m_document.previews().all(), m_document.tensors(), worstShown),
                     worstShown);
    m_findings->setRows(findingRows(m_document.previews().all()), findingIds);
    m_decisions->setRows(decisionRows(decisionOverview(m_document)));
    showOverview();
    orderStops();
}

/// Under the pointer.
QString SummaryPage::toldOf(int tensor) const
{
    QStringList lines{
        QString::fromStdString(m_document.tensors()[static_cast<std::size_t>(tensor)].name)};
    const auto taken = m_document.previews().shared();
    if (const auto problem = taken->problems.find(tensor); problem != taken->problems.end())
        lines += problem->second;
    if (const protocol::Preview* known = m_document.previews().of(tensor)) {
        const std::optional<double> decided = m_document.previews().sqnrOfDecision(tensor);
        if (const std::optional<double> db = decided ? decided : known->sqnrDb)
            lines[0] += QStringLiteral("   ") + dbText(*db);
        if (decided && known->sqnrDb && decided != known->sqnrDb)
            lines[0] += tr(" (recipe %1)").arg(dbText(*known->sqnrDb));
        lines += diagnosisSentence(*known);
    }
    return lines.join(QStringLiteral("   "));
}

/// The recipe may be that of another dump.
void SummaryPage::showCoverage()
{
    const std::vector<Recipe>& known = recipes();
    const auto offered = std::ranges::find_if(known, [this](const Recipe& recipe) {
        return std::ranges::any_of(m_document.tensors(), [&](const TensorInfo& tensor) {
            return choose(recipe, tensor, m_document.consumers()).has_value();
        });
    });
    if (offered == known.end() || !recipeCoversNone(m_document))
        return m_uncovered->hide();
    m_uncovered->say(tr("The chosen recipe, %1, covers none of these tensors.")
                         .arg(QString::fromStdString(m_document.chosenRecipe().title)),
                     {{tr("Choose %1").arg(menuText(QString::fromStdString(offered->title))),
                       [this, id = offered->id] {
                           edits::chooseRecipe(m_document, QString::fromStdString(id));
                       }}});
}

void SummaryPage::showOverview()
{
    const double limit = sqnrLimits().good;
    const SqnrOverview overview = sqnrOverview(m_document, limit);
    m_sentence->setText(overviewSentence(m_document, overview, limit));
    std::vector<int> tensors;
    for (const OverviewEntry& entry : overview.entries)
        tensors.push_back(entry.tensor);
    m_best->refresh(tensors);
    const std::map<int, double> raised = m_best->raised();
    const QString title = QString::fromStdString(m_document.chosenRecipe().title);
    const QString words = recipeWords(m_document);
    QStringList caption{tr("SQNR of each tensor under %1, in the order of the file.")
                            .arg(words.isEmpty() ? title : tr("%1 (%2)").arg(title, words))};
    if (std::ranges::any_of(overview.entries,
                            [](const OverviewEntry& entry) { return entry.recipeDb.has_value(); }))
        caption += tr("Narrow: of what was accepted, before the recipe's.");
    if (!raised.empty())
        caption += tr("Outlined: of the best calibrator.");
    m_caption->setText(caption.join(u' '));
    std::vector<StripBar> bars;
    const QString activations = tr("activations");
    const QString weights = tr("weights");
    for (const OverviewEntry& entry : overview.entries)
        bars.push_back({.tensor = entry.tensor,
                        .sqnrDb = entry.sqnrDb,
                        .recipeDb = entry.recipeDb,
                        .bestDb = raised.contains(entry.tensor)
                                      ? std::optional(raised.at(entry.tensor))
                                      : std::nullopt,
                        .isDoubted = entry.isOfOneValue,
                        .group = entry.role == Role::Activation ? activations
                                 : entry.role == Role::Weight   ? weights
                                                                : tr("other")});
    m_bars->setBars(std::move(bars), limit);
}

void SummaryPage::follow(const QString& link)
{
    const QString target = link.section(u':', 1);
    if (link.startsWith(QStringLiteral("tensor:")))
        Q_EMIT tensorRequested(target.toInt());
    else
        Q_EMIT filterRequested(target);
}

QString SummaryPage::textSummary() const
{
    QStringList parts{m_name->text(), m_totals->text(), m_sentence->text()};
    for (const SummaryCard* card : cards())
        if (!card->isHidden())
            parts += card->textSummary();
    return parts.join(u'\n');
}

}  // namespace calibscope
