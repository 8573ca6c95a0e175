// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/go_to_dialog.h"

#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/tensor_delegates.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <tuple>

namespace calibscope {

namespace {

constexpr int wholePart = 1000;
constexpr int wordStart = 200;
constexpr int atOnce = 20;  ///< for a letter that follows the one before it
constexpr int letterAtStart = 30;

bool startsWord(QStringView text, qsizetype place)
{
    if (place == 0)
        return true;
    const QChar before = text[place - 1];
    return !before.isLetterOrNumber() || (before.isDigit() != text[place].isDigit());
}

/// The best place of a part: a start of a word if there is one.
std::optional<int> partScore(QStringView word, QStringView text)
{
    std::optional<int> best;
    for (qsizetype place = text.indexOf(word); place >= 0; place = text.indexOf(word, place + 1)) {
        const int score = wholePart + (startsWord(text, place) ? wordStart : 0) -
                          static_cast<int>(std::min<qsizetype>(place, 100));
        best = std::max(best.value_or(score), score);
        if (startsWord(text, place))
            break;
    }
    return best;
}

std::optional<int> lettersScore(QStringView word, QStringView text)
{
    int score = 0;
    qsizetype place = -1;
    for (const QChar letter : word) {
        const qsizetype next = text.indexOf(letter, place + 1);
        if (next < 0)
            return std::nullopt;
        score +=
            next == place + 1 ? atOnce : -static_cast<int>(std::min<qsizetype>(next - place, 10));
        score += startsWord(text, next) ? letterAtStart : 0;
        place = next;
    }
    return score;
}

constexpr int margin = 8;
constexpr int gap = 12;

/// A destination in one line: text, kind in a fainter colour, detail at the right.
class GoToDelegate : public ColumnNamesDelegate
{
public:
    using ColumnNamesDelegate::ColumnNamesDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override;
};

void GoToDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const bool isSelected = option.state.testFlag(QStyle::State_Selected);
    const QPalette& palette = option.palette;
    painter->save();
    if (isSelected)
        painter->fillRect(option.rect, palette.brush(QPalette::Highlight));
    const QColor strong = palette.color(isSelected ? QPalette::HighlightedText : QPalette::Text);
    const QColor faint = isSelected ? strong : palette.color(QPalette::PlaceholderText);
    const QFontMetrics& metrics = option.fontMetrics;
    QRect box = option.rect.adjusted(margin, 0, -margin, 0);

    const QString detail = index.data(GoToModel::DetailRole).toString();
    painter->setPen(faint);
    painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, detail);
    box.setRight(box.right() - metrics.horizontalAdvance(detail) - gap);

    const QString kind = index.data(GoToModel::KindRole).toString();
    const int kindWidth = metrics.horizontalAdvance(kind);
    QStyleOptionViewItem name = option;
    name.rect.setWidth(box.width() - kindWidth - gap);
    initStyleOption(&name, index);
    const QString& text = name.text;
    painter->drawText(box.adjusted(metrics.horizontalAdvance(text) + gap, 0, 0, 0),
                      Qt::AlignLeft | Qt::AlignVCenter, kind);
    painter->setPen(strong);
    painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, text);
    painter->restore();
}

QSize GoToDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {200, option.fontMetrics.height() + 10};
}

}  // namespace

std::optional<int> fuzzyScore(QStringView query, QStringView text)
{
    int score = -static_cast<int>(std::min<qsizetype>(text.size(), 200));
    for (const QStringView word : query.split(u' ', Qt::SkipEmptyParts)) {
        std::optional<int> found = partScore(word, text);
        if (!found)
            found = lettersScore(word, text);
        if (!found)
            return std::nullopt;
        score += *found;
    }
    return score;
}

void GoToModel::setDestinations(std::vector<Destination> destinations)
{
    m_destinations = std::move(destinations);
    m_searched.clear();
    for (const Destination& destination : m_destinations)
        m_searched.push_back((destination.text + u' ' + destination.kind).toLower());
    setQuery({});
}

void GoToModel::setQuery(const QString& query)
{
    struct Match
    {
        int score;
        bool isFirst;
        std::size_t place;
    };
    const QString wanted = query.trimmed().toLower();
    std::vector<Match> matches;
    for (std::size_t place = 0; place < m_searched.size(); ++place)
        // Without a query all keep their order: neither score nor length says anything.
        if (const std::optional<int> score =
                wanted.isEmpty() ? 0 : fuzzyScore(wanted, m_searched[place]))
            matches.push_back({*score, m_destinations[place].isFirst, place});
    const auto shown = std::min<std::size_t>(matches.size(), most);
    const auto isBetter = [](const Match& left, const Match& right) {
        return std::tuple(-left.score, !left.isFirst, left.place) <
               std::tuple(-right.score, !right.isFirst, right.place);
    };
    std::ranges::partial_sort(matches, matches.begin() + static_cast<std::ptrdiff_t>(shown),
                              isBetter);
    beginResetModel();
    m_matchCount = static_cast<int>(matches.size());
    m_rows.clear();
    for (std::size_t row = 0; row < shown; ++row)
        m_rows.push_back(matches[row].place);
    endResetModel();
}

void GoToModel::go(int row) const
{
    if (row >= 0 && row < rowCount())
        m_destinations[m_rows[static_cast<std::size_t>(row)]].go();
}

int GoToModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant GoToModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Destination& shown = m_destinations[m_rows[static_cast<std::size_t>(index.row())]];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return shown.text;
    case Qt::AccessibleTextRole:
        return QStringList{shown.text, shown.kind, shown.detail}.join(u' ');
    case KindRole: return shown.kind;
    case DetailRole: return shown.detail;
    default: return {};
    }
}

GoToDialog::GoToDialog(const Words& words, std::vector<Destination> destinations, QWidget* parent)
    : QDialog(parent),
      m_query(new QLineEdit(this)),
      m_list(new QListView(this)),
      m_count(new PlainLabel(this))
{
    setObjectName(QStringLiteral("goTo"));
    setWindowTitle(words.title);
    setAttribute(Qt::WA_DeleteOnClose);
    m_query->setPlaceholderText(words.placeholder);
    m_query->setAccessibleName(tr("Search"));
    m_query->installEventFilter(this);
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new GoToDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFocusPolicy(Qt::NoFocus);  // typing never leaves the line
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setAccessibleName(tr("Results"));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 10, 10, 8);
    layout->addWidget(m_query);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_count);
    connect(m_query, &QLineEdit::textChanged, this, &GoToDialog::search);
    connect(m_list, &QListView::clicked, this, &GoToDialog::go);
    resize(620, 440);
    m_model.setDestinations(std::move(destinations));
    search({});
}

void GoToDialog::search(const QString& query)
{
    m_model.setQuery(query);
    m_list->setCurrentIndex(m_model.index(0));
    const auto found = static_cast<std::uint64_t>(m_model.matchCount());
    if (found == 0)
        m_count->setText(tr("No matches"));
    else if (m_model.matchCount() > m_model.rowCount())
        m_count->setText(tr("first %1 of %2")
                             .arg(countLabel(static_cast<std::uint64_t>(m_model.rowCount())),
                                  countLabel(found)));
    else
        m_count->setText(tr("%1 found").arg(countLabel(found)));
}

/// What is chosen may open a dialog of its own: this one is closed before.
void GoToDialog::go()
{
    const int row = m_list->currentIndex().row();
    if (row < 0)
        return;
    hide();
    m_model.go(row);
    close();
}

bool GoToDialog::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    auto& key = static_cast<QKeyEvent&>(*event);
    switch (key.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: go(); return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: QCoreApplication::sendEvent(m_list, event); return true;
    default: return QDialog::eventFilter(watched, event);
    }
}

}  // namespace calibscope
