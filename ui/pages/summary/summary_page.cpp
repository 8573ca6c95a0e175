#include "ui/pages/summary/summary_page.h"

#include "ui/document/dump_summary.h"
#include "ui/document/previews.h"
#include "ui/panels/summary_card.h"
#include "ui/plot/number_label.h"
#include "ui/queries/dump_requests.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/translate.h"
#include "ui/widgets/message_bar.h"

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace calibscope {

namespace {

QString tensorsText(std::uint64_t tensors)
{
    return countText(tensors, tr("1 tensor"), tr("%1 tensors"));
}

/// Where it stands alone, a sentence begins with a capital.
QString sentence(const std::string& text)
{
    QString line = QString::fromStdString(text);
    if (!line.isEmpty())
        line[0] = line[0].toUpper();
    return line;
}

/// A long value gets lines of its own.
CardRow attributeRow(const QString& name, const QString& value)
{
    constexpr qsizetype besideName = 24;
    constexpr qsizetype most = 400;
    if (value.size() <= besideName)
        return {.name = name, .value = value};
    return {.name = name,
            .value = {},
            .note = value.size() <= most ? value : value.left(most) + QStringLiteral("…")};
}

CardRow tensorRow(const std::vector<TensorInfo>& tensors, int tensor)
{
    return {.name = QString::fromStdString(tensors.at(static_cast<std::size_t>(tensor)).name),
            .value = {},
            .link = QStringLiteral("tensor:%1").arg(tensor)};
}

}  // namespace

std::vector<CardRow> shareRows(const std::vector<TensorShare>& shares, std::uint64_t allValues)
{
    std::vector<CardRow> rows;
    for (const TensorShare& share : shares) {
        CardRow row{.name = share.title, .value = tensorsText(share.tensors)};
        if (share.guesses > 0)
            row.value += tr(", %1 guessed").arg(countLabel(share.guesses));
        if (!share.query.isEmpty())
            row.link = QStringLiteral("filter:") + share.query;
        if (allValues > 0)
            row.share = static_cast<double>(share.values) / static_cast<double>(allValues);
        rows.push_back(row);
    }
    return rows;
}

std::vector<CardRow> ruleRows(const DumpSummary& summary, const std::vector<RuleUse>& rules)
{
    std::vector<CardRow> rows = shareRows(summary.rules, summary.values);
    for (CardRow& row : rows) {
        const auto rule = std::ranges::find(rules, row.name.toStdString(), &RuleUse::id);
        if (rule != rules.end())
            row.name = QString::fromStdString(rule->title);
    }
    return rows;
}

std::vector<CardRow> attributeRows(const std::map<std::string, std::string>& attributes)
{
    std::vector<CardRow> rows;
    for (const auto& [name, value] : attributes)
        rows.push_back(attributeRow(QString::fromStdString(name), QString::fromStdString(value)));
    return rows;
}

std::vector<CardRow> warningRows(const std::vector<std::string>& warnings)
{
    std::vector<CardRow> rows;
    for (const std::string& warning : warnings)
        rows.push_back({.name = {}, .value = {}, .note = sentence(warning)});
    return rows;
}

std::vector<CardRow> unreadableRows(const DumpSummary& summary,
                                    const std::vector<TensorInfo>& tensors)
{
    std::vector<CardRow> rows;
    for (const UnreadableTensors& group : summary.unreadable) {
        CardRow row = tensorRow(tensors, group.tensors.front());
        row.note = sentence(group.reason.toStdString());
        if (group.tensors.size() > 1)
            row.value = tr("and %1 more").arg(countLabel(group.tensors.size() - 1));
        rows.push_back(row);
    }
    return rows;
}

std::vector<CardRow> failedRows(const std::map<int, QString>& problems,
                                const std::vector<TensorInfo>& tensors)
{
    std::vector<CardRow> rows;
    for (const auto& [tensor, problem] : problems) {
        CardRow row = tensorRow(tensors, tensor);
        row.note = sentence(problem.toStdString());
        rows.push_back(row);
    }
    return rows;
}

std::vector<CardRow> worstRows(const std::map<int, protocol::Preview>& previews,
                               const std::vector<TensorInfo>& tensors, std::size_t most)
{
    std::vector<CardRow> rows;
    for (const int tensor : worstTensors(previews, most)) {
        const double db = *previews.at(tensor).sqnrDb;
        CardRow row = tensorRow(tensors, tensor);
        row.value = tr("%1 dB").arg(std::isinf(db) ? valueLabel(db) : fixedLabel(db, 1));
        rows.push_back(row);
    }
    return rows;
}

QString largeCountLabel(std::uint64_t count)
{
    const double value = static_cast<double>(count);
    if (value >= 1e12)
        return valueLabel(value, 3);
    if (value >= 1e9)
        return tr("%1 billion").arg(valueLabel(value / 1e9, 3));
    if (value >= 1e7)
        return tr("%1 million").arg(valueLabel(value / 1e6, 3));
    return countLabel(count);
}

namespace {

constexpr int worstUpdateMs = 400;
constexpr int twoColumnsPixels = 520;
constexpr std::size_t worstShown = 8;
constexpr std::size_t unreadableShown = 6;

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
    return folder.startsWith(QDir::homePath()) ? u'~' + folder.mid(QDir::homePath().size())
                                               : folder;
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
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(20, 16, 20, 20);
    layout->setSpacing(14);
    m_strip = new MessageBar(content);
    layout->addWidget(makeHeader());
    layout->addWidget(m_strip);
    layout->addWidget(makeTiles());
    layout->addWidget(makeButtons());
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
    connect(&document, &Document::changed, this, [updateWorst](const DocumentChange& change) {
        if (change.concerns(DocumentChange::Recipe))
            updateWorst();
    });
    connect(&document, &Document::idle, this, &SummaryPage::showWorst);
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
    layout->addWidget(m_name);
    layout->addWidget(m_place);
    return header;
}

QWidget* SummaryPage::makeTiles()
{
    auto* tiles = new CardFrame;
    auto* layout = new QHBoxLayout(tiles);
    layout->setContentsMargins(16, 10, 16, 12);
    layout->setSpacing(24);
    for (const QString& caption :
         {tr("tensors"), tr("values"), tr("in the file"), tr("as float32")}) {
        auto* column = new QVBoxLayout;
        column->setSpacing(0);
        QLabel* number = makeLabel(1.5, true, tiles);
        QLabel* name = makeLabel(0.95, false, tiles);
        name->setText(caption);
        name->setForegroundRole(QPalette::PlaceholderText);
        column->addWidget(number);
        column->addWidget(name);
        layout->addLayout(column, 1);
        m_totals.push_back(number);
    }
    return tiles;
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
    layout->addStretch();
    return buttons;
}

void SummaryPage::makeCards()
{
    const std::array cards = {
        std::pair{&m_warnings, tr("Warnings")},
        std::pair{&m_unreadable, tr("Can't be read")},
        std::pair{&m_roles, tr("Roles")},
        std::pair{&m_types, tr("Element types")},
        std::pair{&m_rules, tr("How roles and axes were determined")},
        std::pair{&m_storages, tr("Storage")},
        std::pair{&m_worst, tr("Lowest SQNR under the chosen recipe")},
        std::pair{&m_attributes, tr("Recorded with the dump")},
    };
    for (const auto& [card, title] : cards) {
        *card = new SummaryCard(title, widget());
        connect(*card, &SummaryCard::linkActivated, this, &SummaryPage::follow);
    }
    placeCards();
}

/// Two columns where there is room; what warns goes first and takes the whole width.
void SummaryPage::placeCards()
{
    const bool isWide = viewport()->width() >= twoColumnsPixels;
    const int columns = isWide ? 2 : 1;
    int row = 0;
    for (SummaryCard* card : {m_warnings, m_unreadable})
        m_grid->addWidget(card, row++, 0, 1, columns);
    int place = 0;
    for (SummaryCard* card : {m_roles, m_types, m_rules, m_storages, m_worst, m_attributes}) {
        m_grid->addWidget(card, row + place / columns, place % columns);
        ++place;
    }
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, isWide ? 1 : 0);
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
    const DumpSummary summary = summarise(m_document.tensors());
    showTotals(summary);
    m_roles->setRows(shareRows(summary.roles, summary.values));
    m_types->setRows(shareRows(summary.types, summary.values));
    m_rules->setRows(ruleRows(summary, m_document.dump().rules));
    m_storages->setRows(shareRows(summary.storages, summary.values));
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
    const QFileInfo file(m_document.path());
    m_name->setText(file.fileName());
    m_place->setText(shortFolder(file.absolutePath()));
    m_place->setToolTip(m_document.path());
    const std::array totals = {countLabel(summary.tensors), largeCountLabel(summary.values),
                               bytesLabel(m_document.dump().identity.bytes),
                               bytesLabel(summary.values * sizeof(float))};
    for (std::size_t place = 0; place < totals.size(); ++place)
        m_totals[place]->setText(totals[place]);
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
    if (isVisible())
        m_worst->setRows(worstRows(m_document.previews().all(), m_document.tensors(), worstShown),
                         worstShown);
}

void SummaryPage::follow(const QString& link)
{
    const QString target = link.section(u':', 1);
    if (link.startsWith(QStringLiteral("tensor:")))
        m_document.select(target.toInt());
    else
        Q_EMIT filterRequested(target);
}

QString SummaryPage::textSummary() const
{
    QStringList parts{m_name->text()};
    for (const QLabel* total : m_totals)
        parts += total->text();
    for (const SummaryCard* card :
         {m_warnings, m_unreadable, m_roles, m_types, m_rules, m_storages, m_worst, m_attributes})
        if (!card->isHidden())
            parts += card->textSummary();
    return parts.join(u'\n');
}

}  // namespace calibscope
