// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_window.h"

#include "ui/theme/plain_text.h"
#include "ui/window/help_browser.h"

#include <QDialogButtonBox>
#include <QDirIterator>
#include <QFile>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSplitter>
#include <QTextCursor>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <map>

namespace calibscope {

namespace {

constexpr int targetRole = Qt::UserRole;
constexpr int textRole = Qt::UserRole + 1;

/// Of the window, in the order of the work; the others follow by name.
constexpr std::array firstPages = {"tour",      "first-hour", "glossary", "sessions",   "recording",
                                   "diagnosis", "layers",     "samples",  "slice",      "graph",
                                   "improve",   "deploy",     "reports",  "scale-files"};

QString withoutMarks(QString title)
{
    static const QRegularExpression link(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)"));
    return title.replace(link, QStringLiteral("\\1")).remove(u'`').remove(u'\\').trimmed();
}

QUrl urlOf(const QString& target)
{
    return QUrl(QStringLiteral("qrc:/docs/") + target);
}

QStringList wordsOf(const QString& query)
{
    return query.split(u' ', Qt::SkipEmptyParts);
}

}  // namespace

QStringList helpPages()
{
    QStringList pages;
    for (const char* page : firstPages)
        pages += QString::fromLatin1(page) + QStringLiteral(".md");
    QStringList others;
    const QString folder = QStringLiteral(":/docs/");
    for (QDirIterator file(folder, {QStringLiteral("*.md")}, QDir::Files,
                           QDirIterator::Subdirectories);
         file.hasNext();)
        if (const QString page = file.next().mid(folder.size()); !pages.contains(page))
            others += page;
    others.sort();
    return pages + others;
}

QString helpAnchor(const QString& heading)
{
    QString anchor;
    for (const QChar letter : withoutMarks(heading).toLower())
        if (letter.isLetterOrNumber() || letter == u'-' || letter == u'_')
            anchor += letter;
        else if (letter == u' ')
            anchor += u'-';
    return anchor;
}

std::vector<HelpSection> helpSections(const QString& page)
{
    std::vector<HelpSection> sections;
    QFile file(QStringLiteral(":/docs/") + page);
    if (!file.open(QIODevice::ReadOnly))
        return sections;
    static const QRegularExpression heading(QStringLiteral("^(#{1,6}) +(.*)$"));
    bool isCode = false;
    for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n')) {
        if (line.startsWith(QStringLiteral("```")))
            isCode = !isCode;
        const QRegularExpressionMatch found = heading.match(line);
        if (found.hasMatch() && !isCode) {
            const QString title = withoutMarks(found.captured(2));
            sections.push_back({.target = sections.empty() ? page : page + u'#' + helpAnchor(title),
                                .title = title,
                                .level = static_cast<int>(found.capturedLength(1)),
                                .text = {}});
        }
        if (!sections.empty())
            sections.back().text += line + u'\n';
    }
    return sections;
}

QString helpTarget(const QWidget& window, std::optional<Workspace> page)
{
    static const std::map<QByteArray, QString> ofDialogs = {
        {"ReportDialog", QStringLiteral("reports.md#in-the-window")},
        {"RemoteDialog", QStringLiteral("remote.md")},
        {"ImportDialog", QStringLiteral("scale-files.md#in-the-window")},
        {"ScaleExportDialog", QStringLiteral("scale-files.md#writing")},
        {"ExportDialog", QStringLiteral("tour.md#pictures")},
        {"HistoryDialog", QStringLiteral("tour.md#undo-keys-and-preferences")},
        {"PreferencesDialog", QStringLiteral("tour.md#undo-keys-and-preferences")},
        {"CheatSheet", QStringLiteral("tour.md#keys")}};
    static const std::map<Workspace, QString> ofPages = {
        {Workspace::Summary, QStringLiteral("tour.md#the-page-after-opening")},
        {Workspace::Browse, QStringLiteral("tour.md#the-histogram-in-the-middle")},
        {Workspace::Calibrators, QStringLiteral("tour.md#calibrators-side-by-side")},
        {Workspace::Channels, QStringLiteral("tour.md#channel-by-channel")},
        {Workspace::Compare, QStringLiteral("tour.md#two-dumps-side-by-side")},
        {Workspace::Deploy, QStringLiteral("deploy.md#in-the-window")},
        {Workspace::Layers, QStringLiteral("tour.md#where-to-look-first")},
        {Workspace::Improve, QStringLiteral("improve.md#in-the-window")},
        {Workspace::Slice, QStringLiteral("slice.md")},
        {Workspace::Graph, QStringLiteral("graph.md")}};
    QByteArray name = window.metaObject()->className();
    name = name.mid(name.lastIndexOf(':') + 1);
    if (const auto found = ofDialogs.find(name); found != ofDialogs.end())
        return found->second;
    const auto found = page ? ofPages.find(*page) : ofPages.end();
    return found == ofPages.end() ? QStringLiteral("tour.md") : found->second;
}

HelpWindow::HelpWindow(QWidget* parent)
    : QDialog(parent),
      m_browser(new HelpBrowser(this)),
      m_query(new QLineEdit(this)),
      m_contents(new QTreeWidget(this)),
      m_noHit(new PlainLabel(tr("No section has all of these words."), this))
{
    setObjectName(QStringLiteral("helpWindow"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Help"));
    m_query->setPlaceholderText(tr("Search the documentation"));
    m_query->setAccessibleName(m_query->placeholderText());
    m_query->setClearButtonEnabled(true);
    m_contents->setHeaderHidden(true);
    m_contents->setUniformRowHeights(true);
    m_contents->setAccessibleName(tr("Contents"));
    m_noHit->setWordWrap(true);
    m_noHit->hide();
    m_browser->setObjectName(QStringLiteral("help"));
    m_browser->setAccessibleName(tr("Text"));
    auto* back = new QPushButton(tr("&Back"), this);
    auto* forward = new QPushButton(tr("&Forward"), this);
    for (QPushButton* button : {back, forward}) {
        button->setEnabled(false);
        button->setAutoDefault(false);
    }
    connect(back, &QPushButton::clicked, m_browser, &QTextBrowser::backward);
    connect(forward, &QPushButton::clicked, m_browser, &QTextBrowser::forward);
    connect(m_browser, &QTextBrowser::backwardAvailable, back, &QPushButton::setEnabled);
    connect(m_browser, &QTextBrowser::forwardAvailable, forward, &QPushButton::setEnabled);
    connect(m_browser, &QTextBrowser::sourceChanged, this, &HelpWindow::mark);
    connect(m_query, &QLineEdit::textChanged, this, &HelpWindow::search);
    connect(m_query, &QLineEdit::returnPressed, this, [this] {
        for (QTreeWidgetItemIterator item(m_contents, QTreeWidgetItemIterator::Selectable); *item;
             ++item)
            if (!(*item)->isHidden() && !(*item)->font(0).italic())
                return m_contents->setCurrentItem(*item);
    });
    connect(m_contents, &QTreeWidget::currentItemChanged, this, &HelpWindow::showItem);
    auto* side = new QWidget(this);
    auto* list = new QVBoxLayout(side);
    list->setContentsMargins({});
    list->addWidget(m_query);
    list->addWidget(m_noHit);
    list->addWidget(m_contents, 1);
    auto* splitter = new QSplitter(this);
    splitter->addWidget(side);
    splitter->addWidget(m_browser);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({260, 700});
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    buttons->addButton(back, QDialogButtonBox::ActionRole);
    buttons->addButton(forward, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(splitter, 1);
    layout->addWidget(buttons);
    resize(980, 700);
    addPages();
    m_query->setFocus();
}

void HelpWindow::addPages()
{
    for (const QString& page : helpPages()) {
        QTreeWidgetItem* top = nullptr;
        for (const HelpSection& section : helpSections(page)) {
            auto* item = top ? new QTreeWidgetItem(top) : new QTreeWidgetItem(m_contents);
            top = top ? top : item;
            item->setText(0, section.title);
            item->setData(0, targetRole, section.target);
            item->setData(0, textRole, section.text);
        }
    }
}

void HelpWindow::show(const QString& target)
{
    QDialog::show();  // first: where a heading stands depends on the width
    m_browser->setSource(urlOf(target));
}

/// Sections that hold all of the words stay, under their pages.
void HelpWindow::search(const QString& query)
{
    const QStringList words = wordsOf(query);
    const auto holdsAll = [&words](const QTreeWidgetItem& item) {
        const QString text = item.data(0, textRole).toString();
        return std::ranges::all_of(
            words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    };
    bool isAny = false;
    for (int page = 0; page < m_contents->topLevelItemCount(); ++page) {
        QTreeWidgetItem* top = m_contents->topLevelItem(page);
        bool isBelow = false;
        for (int child = 0; child < top->childCount(); ++child) {
            const bool isHit = holdsAll(*top->child(child));
            top->child(child)->setHidden(!isHit);
            isBelow = isBelow || isHit;
        }
        const bool isOwn = holdsAll(*top);
        QFont font = m_contents->font();
        font.setItalic(!isOwn);  // it stands there for what is below it
        top->setFont(0, font);
        top->setHidden(!isOwn && !isBelow);
        top->setExpanded(!words.isEmpty() && isBelow);
        isAny = isAny || isOwn || isBelow;
    }
    m_noHit->setVisible(!isAny);
    mark();
}

void HelpWindow::showItem(const QTreeWidgetItem* item)
{
    if (item)
        m_browser->setSource(urlOf(item->data(0, targetRole).toString()));
}

/// The words that are searched for have another ground.
void HelpWindow::mark()
{
    constexpr qsizetype most = 500;
    QList<QTextEdit::ExtraSelection> found;
    for (const QString& word : wordsOf(m_query->text())) {
        QTextCursor at(m_browser->document());
        while (found.size() < most && !(at = m_browser->document()->find(word, at)).isNull()) {
            QTextEdit::ExtraSelection selection;
            selection.cursor = at;
            selection.format.setBackground(palette().highlight());
            selection.format.setForeground(palette().highlightedText());
            found += selection;
        }
    }
    m_browser->setExtraSelections(found);
}

void showHelp(QWidget& parent, const QString& target)
{
    auto* help = parent.findChild<HelpWindow*>(QString(), Qt::FindDirectChildrenOnly);
    if (!help)
        help = new HelpWindow(&parent);
    help->show(target);
    help->raise();
    help->activateWindow();
}

}  // namespace calibscope
