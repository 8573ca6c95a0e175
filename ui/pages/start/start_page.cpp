// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/start/start_page.h"

#include "ui/queries/addresses.h"
#include "ui/theme/plain_text.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QTabBar>
#include <QThreadPool>
#include <QVBoxLayout>

#include <array>

namespace calibscope {

namespace {

/// First recordings; recording.md explains each.
struct Recording
{
    const char* source;
    const char* lines;
};

constexpr std::array recordings{
    Recording{"NumPy", "import h5py\n"
                       "with h5py.File(\"dump.h5\", \"w\") as dump:\n"
                       "    dump.attrs[\"format\"] = \"calibration-dump\"\n"
                       "    dump[\"activations/conv1\"] = outputs  # samples first\n"
                       "    dump[\"weights/conv1.weight\"] = weights"},
    Recording{"PyTorch", "from record_torch import record\n\n"
                         "record(network, batches, \"dump.h5\")"},
    Recording{"ONNX Runtime", "from record_onnx import record\n\n"
                              "record(\"model.onnx\", batches, \"dump.h5\")"}};

constexpr int columnWidth = 400;
constexpr int recordingWidth = columnWidth + 60;
constexpr int columnGap = 64;
constexpr int pageMargin = 32;

QLabel* makeLabel(const QString& text, double sizeFactor, bool bold)
{
    auto* label = new PlainLabel(text);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * sizeFactor);
    font.setBold(bold);
    label->setFont(font);
    label->setWordWrap(true);
    return label;
}

QLabel* makeFaintLabel(const QString& text)
{
    QLabel* label = makeLabel(text, 1.0, false);
    label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

QWidget* makeTitle()
{
    constexpr int iconPixels = 48;
    auto* title = new QWidget;
    auto* icon = new PlainLabel(title);
    icon->setPixmap(QIcon(QStringLiteral(":/icons/calibscope.svg"))
                        .pixmap(QSize(iconPixels, iconPixels), title->devicePixelRatioF()));
    auto* layout = new QHBoxLayout(title);
    layout->setContentsMargins({});
    layout->setSpacing(14);
    layout->addWidget(icon);
    layout->addWidget(makeLabel(QStringLiteral("Calibscope"), 2.4, true), 1);
    return title;
}

QString shortFolder(const QString& path)
{
    if (isFarAway(path))
        return path.section(u'/', 0, -2);
    QString folder = QFileInfo(path).absolutePath();
    const QString home = QDir::homePath() + u'/';
    if (folder.startsWith(home))
        folder.replace(0, home.size(), QStringLiteral("~/"));
    return folder;
}

}  // namespace

StartPage::StartPage(QWidget* parent) : QScrollArea(parent)
{
    auto* content = new QWidget;
    content->setBackgroundRole(QPalette::Base);
    content->setAutoFillBackground(true);
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setWidget(content);

    m_grid = new QGridLayout;
    m_grid->setHorizontalSpacing(columnGap);
    m_grid->setVerticalSpacing(8);
    m_grid->addWidget(makeTitle(), 0, 0, 1, 2);
    m_grid->addWidget(makeFaintLabel(tr("See which int8 scales calibration algorithms choose for "
                                        "recorded tensors, and why they differ.")),
                      1, 0, 1, 2);
    m_grid->setRowMinimumHeight(2, 16);
    m_grid->addWidget(makeOpening(), 3, 0, Qt::AlignTop);
    m_recording = makeRecording();
    m_grid->addWidget(m_recording, 3, 1, Qt::AlignTop);

    auto* centred = new QGridLayout(content);
    centred->setContentsMargins(pageMargin, pageMargin, pageMargin, pageMargin);
    centred->addLayout(m_grid, 1, 1);
    centred->setRowStretch(0, 2);
    centred->setRowStretch(2, 3);
    centred->setColumnStretch(0, 1);
    centred->setColumnStretch(2, 1);
    setRecentFiles({});
}

/// Where both have no room beside each other, one stands under the other.
void StartPage::resizeEvent(QResizeEvent* event)
{
    const bool isNarrow = width() < columnWidth + columnGap + recordingWidth + 2 * pageMargin;
    if (isNarrow != m_isNarrow) {
        m_isNarrow = isNarrow;
        if (isNarrow)
            m_grid->addWidget(m_recording, 4, 0, 1, 2, Qt::AlignTop);
        else
            m_grid->addWidget(m_recording, 3, 1, Qt::AlignTop);
        m_grid->setHorizontalSpacing(isNarrow ? 0 : columnGap);
    }
    QScrollArea::resizeEvent(event);
}

QWidget* StartPage::makeOpening()
{
    auto* column = new QWidget;
    column->setFixedWidth(columnWidth);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins({});
    layout->setSpacing(8);

    auto* open = new QPushButton(tr("Open &dump..."));
    open->setObjectName(QStringLiteral("openDump"));
    open->setMinimumHeight(48);
    open->setAutoDefault(true);  // Return presses what has the focus
    QFont large = open->font();
    large.setPointSizeF(large.pointSizeF() * 1.15);
    large.setBold(true);
    open->setFont(large);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    m_sampleButton = new QPushButton(tr("Open the &sample dump"));
    m_sampleButton->setObjectName(QStringLiteral("openSample"));
    m_sampleButton->setMinimumHeight(36);
    m_sampleButton->setAutoDefault(true);
    connect(m_sampleButton, &QPushButton::clicked, this, &StartPage::sampleRequested);
    layout->addWidget(open);
    layout->addWidget(m_sampleButton);
    layout->addWidget(makeFaintLabel(tr("or drop a file or folder anywhere in this window")));

    layout->addSpacing(16);
    m_recentTitle = makeLabel(tr("Recent"), 1.15, true);
    layout->addWidget(m_recentTitle);
    m_recentList = new QVBoxLayout;
    m_recentList->setSpacing(6);
    layout->addLayout(m_recentList);
    return column;
}

QWidget* StartPage::makeRecording()
{
    auto* column = new QWidget;
    column->setFixedWidth(recordingWidth);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins({});
    layout->setSpacing(8);
    layout->addWidget(makeLabel(tr("How to record a dump"), 1.15, true));

    auto* sources = new QTabBar;
    sources->setDrawBase(false);
    sources->setExpanding(false);
    for (const Recording& recording : recordings)
        sources->addTab(QString::fromLatin1(recording.source));
    layout->addWidget(sources);
    auto* code = new PlainLabel(QString::fromLatin1(recordings.front().lines));
    code->setObjectName(QStringLiteral("recordingLines"));
    code->setFont(codeFont());
    code->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    code->setTextInteractionFlags(Qt::TextSelectableByMouse);  // Copy is for the keyboard
    code->setFocusPolicy(Qt::NoFocus);
    code->setBackgroundRole(QPalette::AlternateBase);
    code->setAutoFillBackground(true);
    code->setFrameShape(QFrame::StyledPanel);
    code->setMargin(12);
    code->setMinimumHeight(code->sizeHint().height());  // of the longest
    layout->addWidget(code);
    connect(sources, &QTabBar::currentChanged, code, [code](int source) {
        code->setText(QString::fromLatin1(recordings.at(static_cast<std::size_t>(source)).lines));
    });

    auto* copy = new QPushButton(tr("Cop&y"));
    copy->setAutoDefault(true);
    connect(copy, &QPushButton::clicked, code,
            [code] { QApplication::clipboard()->setText(code->text()); });
    layout->addWidget(copy, 0, Qt::AlignLeft);
    layout->addSpacing(8);
    layout->addWidget(makeFaintLabel(tr(
        "The recorders record_torch.py and record_onnx.py lie in share/calibscope/recorders of the "
        "installation (resources/recorders of the sources). They also state operators, inputs, "
        "batches and channels, which recipes use.")));
    layout->addWidget(
        makeFaintLabel(tr("Files of HDF5, NumPy (.npy, .npz, folders of .npy), folders of .raw, "
                          "safetensors, GGUF and ONNX open as they are.")));
    return column;
}

void StartPage::setRecentFiles(const QStringList& paths)
{
    m_recentFiles = paths;
    m_missingFiles.clear();
    showRecentFiles();
    findMissingFiles();
}

void StartPage::setSampleAvailable(bool available)
{
    m_sampleButton->setEnabled(available);
    m_sampleButton->setToolTip(available ? QString() : tr("The sample dump is not installed."));
}

void StartPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        showRecentFiles();  // their texts hold colours
    QScrollArea::changeEvent(event);
}

void StartPage::showRecentFiles()
{
    while (QLayoutItem* item = m_recentList->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    m_recentTitle->setVisible(!m_recentFiles.isEmpty());
    QWidget* last = m_sampleButton;
    for (const QString& path : m_recentFiles) {
        const QString name = QFileInfo(path).fileName();
        const bool isMissing = m_missingFiles.contains(path);
        QLabel* label = nullptr;
        if (isMissing)
            label = new PlainLabel(tr("%1 (not found)").arg(name));
        else
            label = new LinkLabel(name, path, shortFolder(path));
        label->setToolTip(path);
        label->setEnabled(!isMissing);
        label->setTextInteractionFlags(Qt::TextBrowserInteraction);
        connect(label, &QLabel::linkActivated, this, [this, path] { Q_EMIT fileRequested(path); });
        m_recentList->addWidget(label);
        setTabOrder(last, label);
        last = label;
    }
    setTabOrder(last, m_recording->findChild<QTabBar*>());
}

/// A file on a sleeping disk or a lost network drive may take seconds to be missed.
void StartPage::findMissingFiles()
{
    if (m_recentFiles.isEmpty())
        return;
    QThreadPool::globalInstance()->start([page = QPointer(this), paths = m_recentFiles] {
        QStringList missing;
        for (const QString& path : paths)
            if (!isFarAway(path) && !QFileInfo::exists(path))
                missing.append(path);
        QMetaObject::invokeMethod(
            qApp,
            [page, paths, missing] {
                if (!page || page->m_recentFiles != paths)
                    return;
                page->m_missingFiles = missing;
                page->showRecentFiles();
                Q_EMIT page->missingFilesFound(missing);
            },
            Qt::QueuedConnection);
    });
}

}  // namespace calibscope
