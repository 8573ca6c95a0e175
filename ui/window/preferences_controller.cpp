// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences_controller.h"

#include "core/base/cache_folder.h"
#include "core/recipes/recipe.h"
#include "ui/document/document.h"
#include "ui/document/edits.h"
#include "ui/theme/chart_colors.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"
#include "ui/window/main_window.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace calibscope {

namespace {

enum Column { Action, Keys };

QString keysText(const QList<QKeySequence>& keys)
{
    return QKeySequence::listToString(keys, QKeySequence::NativeText);
}

void addHeading(QFormLayout& form, const QString& text)
{
    auto* heading = new PlainLabel(text);
    QFont bold = heading->font();
    bold.setBold(true);
    heading->setFont(bold);
    heading->setContentsMargins(0, form.rowCount() > 0 ? 12 : 4, 0, 2);
    form.addRow(heading);
}

/// Headings that were made larger than the text stay so.
void scaleOwnFonts(const QWidget& window, double factor)
{
    if (factor == 1.0)
        return;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        QFont own = widget->font();
        if (!widget->testAttribute(Qt::WA_SetFont) ||
            (own.resolveMask() & QFont::SizeResolved) == 0 || own.pointSizeF() <= 0.0)
            continue;
        own.setPointSizeF(own.pointSizeF() * factor);
        widget->setFont(own);
    }
}

}  // namespace

ShortcutEditor::ShortcutEditor(ShortcutChoice choice, QWidget* parent)
    : QWidget(parent),
      m_choice(std::move(choice)),
      m_list(new QTreeWidget(this)),
      m_key(new QKeySequenceEdit(this)),
      m_none(new QPushButton(tr("N&one"), this)),
      m_standard(new QPushButton(tr("Defaul&t"), this)),
      m_answer(new PlainLabel(this))
{
    auto* filterLine = new QLineEdit(this);
    filterLine->setPlaceholderText(tr("filter"));
    filterLine->setClearButtonEnabled(true);
    filterLine->setAccessibleName(tr("Filter actions"));
    connect(filterLine, &QLineEdit::textChanged, this, &ShortcutEditor::filter);
    m_list->setColumnCount(2);
    m_list->setHeaderLabels({tr("action"), tr("keys")});
    m_list->header()->setSectionResizeMode(Action, QHeaderView::Stretch);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->resizeSection(Keys, fontMetrics().averageCharWidth() * 22);
    m_list->setUniformRowHeights(true);
    m_list->setAccessibleName(tr("Actions"));
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ShortcutEditor::showSelected);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(filterLine);
    layout->addWidget(m_list, 1);
    layout->addWidget(makeField());
    m_answer->setWordWrap(true);
    m_answer->setMinimumHeight(2 * fontMetrics().height());
    m_answer->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    layout->addWidget(m_answer);
    fill();
    showSelected();
}

QWidget* ShortcutEditor::makeField()
{
    auto* field = new QWidget(this);
    auto* layout = new QHBoxLayout(field);
    layout->setContentsMargins({});
    auto* label = new PlainLabel(tr("&Shortcut:"), field);
    label->setBuddy(m_key);
    layout->addWidget(label);
    layout->addWidget(m_key, 1);
    layout->addWidget(m_none);
    layout->addWidget(m_standard);
    m_none->setToolTip(tr("No shortcut assigned"));
    m_standard->setToolTip(tr("The default shortcut"));
    connect(m_key, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutEditor::assign);
    connect(m_none, &QPushButton::clicked, this, [this] { assign({}); });
    connect(m_standard, &QPushButton::clicked, this, &ShortcutEditor::assignStandard);
    return field;
}

void ShortcutEditor::fill()
{
    for (const MenuSpec& menu : menuTable()) {
        auto* group = new QTreeWidgetItem(m_list, {withoutMnemonic(menu.title)});
        group->setFlags(Qt::ItemIsEnabled);
        for (const ActionSpec& spec : actionTable()) {
            if (spec.menu != menu.id)
                continue;
            auto* item = new QTreeWidgetItem(
                group, {withoutMnemonic(spec.text), keysText(m_choice.keys(spec.id))});
            item->setToolTip(Action, spec.help);
            item->setData(Action, Qt::UserRole, spec.id);
        }
        group->setExpanded(true);
    }
}

void ShortcutEditor::filter(const QString& text)
{
    for (int place = 0; place < m_list->topLevelItemCount(); ++place) {
        QTreeWidgetItem* group = m_list->topLevelItem(place);
        bool holdsAny = false;
        for (int row = 0; row < group->childCount(); ++row) {
            QTreeWidgetItem* item = group->child(row);
            const bool isHit = item->text(Action).contains(text, Qt::CaseInsensitive) ||
                               item->text(Keys).contains(text, Qt::CaseInsensitive);
            item->setHidden(!isHit);
            holdsAny = holdsAny || isHit;
        }
        group->setHidden(!holdsAny);
    }
}

void ShortcutEditor::select(const QString& id)
{
    for (QTreeWidgetItemIterator item(m_list); *item; ++item)
        if ((*item)->data(Action, Qt::UserRole) == QVariant(id))
            m_list->setCurrentItem(*item);
}

std::optional<QString> ShortcutEditor::selected() const
{
    const QTreeWidgetItem* item = m_list->currentItem();
    if (!item || !item->data(Action, Qt::UserRole).isValid())
        return std::nullopt;
    return item->data(Action, Qt::UserRole).toString();
}

void ShortcutEditor::showSelected()
{
    const std::optional<QString> id = selected();
    for (QWidget* widget : std::initializer_list<QWidget*>{m_key, m_none, m_standard})
        widget->setEnabled(id.has_value());
    const QSignalBlocker silence(m_key);
    m_key->setKeySequence(id && !m_choice.keys(*id).isEmpty() ? m_choice.keys(*id).front()
                                                              : QKeySequence());
    m_answer->setText(id ? actionSpec(*id).help : tr("Select an action to change its shortcut."));
}

/// Of several keys that were typed one after the other only the first counts.
void ShortcutEditor::assign(const QKeySequence& key)
{
    const QKeySequence first = key.isEmpty() ? QKeySequence() : QKeySequence(key[0]);
    if (const std::optional<QString> id = selected())
        showAnswer(m_choice.assign(*id, first), first);
}

void ShortcutEditor::assignStandard()
{
    const std::optional<QString> id = selected();
    if (!id)
        return;
    const QKeySequence standard(actionSpec(*id).shortcut.section(u';', 0, 0));
    showAnswer(m_choice.assignStandard(*id), standard);
}

void ShortcutEditor::showAnswer(std::optional<QString> owner, const QKeySequence& key)
{
    showSelected();
    if (owner) {
        m_answer->setText(tr("%1 is already assigned to \"%2\". Change that shortcut first.")
                              .arg(key.toString(QKeySequence::NativeText),
                                   withoutMnemonic(actionSpec(*owner).text)));
        return;
    }
    m_list->currentItem()->setText(Keys, keysText(m_choice.keys(*selected())));
    Q_EMIT choiceChanged();
}

PreferencesDialog::PreferencesDialog(const Values& values, bool isRemembered, QWidget* parent)
    : QDialog(parent), m_display(values.display)
{
    setWindowTitle(tr("Preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* tabs = new QTabWidget(this);
    tabs->addTab(makeGeneral(values, isRemembered), tr("&General"));
    tabs->addTab(makeShortcuts(values), tr("Ke&ys"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(tabs, 1);
    layout->addWidget(buttons);
    resize(sizeHint().expandedTo(QSize(560, 0)));
}

QWidget* PreferencesDialog::makeGeneral(const Values& values, bool isRemembered)
{
    auto* page = new QWidget(this);
    auto* form = new QFormLayout(page);
    form->setContentsMargins(16, 8, 16, 16);
    form->setHorizontalSpacing(16);
    form->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    addAppearance(*form, values);
    addNumbers(*form);
    addStart(*form, values);
    auto* note =
        new PlainLabel(isRemembered ? tr("Changes apply immediately.")
                                    : tr("This window was started with --fresh: changes apply "
                                         "until it is closed and are not saved."),
                       page);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    note->setContentsMargins(0, 10, 0, 0);
    form->addRow(note);
    return page;
}

void PreferencesDialog::addAppearance(QFormLayout& form, const Values& values)
{
    addHeading(form, tr("Appearance"));
    form.addRow(tr("&Theme:"), makeTheme(values.theme));
    auto* size = new QSpinBox(this);
    size->setObjectName(QStringLiteral("fontPoints"));
    size->setRange(leastFontPoints - 1, mostFontPoints);  // below the least: as the desktop
    size->setSpecialValueText(tr("as the system"));
    size->setSuffix(tr(" pt"));
    size->setValue(std::max(values.display.fontPoints, leastFontPoints - 1));
    connect(size, &QSpinBox::valueChanged, this, [this](int points) {
        m_display.fontPoints = points < leastFontPoints ? 0 : points;
        tellDisplay();
    });
    form.addRow(tr("&Font size:"), size);
    form.addRow(tr("&Dragging in a plot:"), makeDrag());
}

QWidget* PreferencesDialog::makeTheme(Theme chosen)
{
    auto* theme = new QComboBox(this);
    theme->setObjectName(QStringLiteral("theme"));
    theme->addItem(tr("follow system"), static_cast<int>(Theme::System));
    theme->addItem(tr("light"), static_cast<int>(Theme::Light));
    theme->addItem(tr("dark"), static_cast<int>(Theme::Dark));
    theme->setCurrentIndex(theme->findData(static_cast<int>(chosen)));
    connect(theme, &QComboBox::activated, this, [this, theme] {
        Q_EMIT themeChosen(static_cast<Theme>(theme->currentData().toInt()));
    });
    return theme;
}

QWidget* PreferencesDialog::makeDrag()
{
    auto* drag = new QComboBox(this);
    drag->setObjectName(QStringLiteral("drag"));
    drag->addItem(tr("moves it; with Ctrl zooms into a box"), false);
    drag->addItem(tr("zooms into a box; with Ctrl moves it"), true);
    drag->setCurrentIndex(m_display.drag == PlotDrag::Zoom ? 1 : 0);
    connect(drag, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_display.drag = index == 1 ? PlotDrag::Zoom : PlotDrag::Move;
        tellDisplay();
    });
    return drag;
}

void PreferencesDialog::addNumbers(QFormLayout& form)
{
    addHeading(form, tr("Numbers"));
    form.addRow(tr("&SQNR limits:"), makeLimits());
    m_digits = new QSpinBox(this);
    m_digits->setObjectName(QStringLiteral("digits"));
    m_digits->setRange(2, 9);
    m_digits->setValue(m_display.numbers.digits);
    connect(m_digits, &QSpinBox::valueChanged, this, &PreferencesDialog::tellDisplay);
    form.addRow(tr("Significant dig&its:"), m_digits);
    m_powers = new QComboBox(this);
    m_powers->setObjectName(QStringLiteral("plainPowers"));
    for (const int powers : {3, 4, 6, 9, 12})
        m_powers->addItem(
            tr("below %1 and from %2 on").arg(powerOfTenLabel(2 - powers), powerOfTenLabel(powers)),
            powers);
    m_powers->setCurrentIndex(std::max(m_powers->findData(m_display.numbers.plainPowers), 0));
    connect(m_powers, &QComboBox::currentIndexChanged, this, &PreferencesDialog::tellDisplay);
    form.addRow(tr("Scientific &notation:"), m_powers);
    m_sample = new PlainLabel(this);
    m_sample->setObjectName(QStringLiteral("sample"));
    m_sample->setForegroundRole(QPalette::PlaceholderText);
    form.addRow(QString(), m_sample);
    showSamples();
}

QWidget* PreferencesDialog::makeLimits()
{
    auto* part = new QWidget(this);
    auto* layout = new QHBoxLayout(part);
    layout->setContentsMargins({});
    const auto add = [&](const char* name, double value, SqnrGrade below, const QString& word) {
        auto* swatch = new PlainLabel(part);
        m_swatches.emplace_back(swatch, below);
        auto* box = new QDoubleSpinBox(part);
        box->setObjectName(QLatin1String(name));
        box->setRange(0.0, mostSqnrLimit);
        box->setDecimals(1);
        box->setSuffix(tr(" dB"));
        box->setValue(value);
        box->setAccessibleName(word);
        connect(box, &QDoubleSpinBox::valueChanged, this, &PreferencesDialog::tellDisplay);
        layout->addWidget(swatch);
        layout->addWidget(new PlainLabel(word, part));
        layout->addWidget(box);
        return box;
    };
    m_poor = add("poorBelow", m_display.limits.poor, SqnrGrade::Poor, tr("poor below"));
    layout->addSpacing(12);
    m_good = add("goodFrom", m_display.limits.good, SqnrGrade::Fair, tr("fair below"));
    part->setFocusProxy(m_poor);
    colorSwatches();
    return part;
}

void PreferencesDialog::colorSwatches()
{
    for (const auto& [swatch, grade] : m_swatches)
        swatch->setPixmap(swatchIcon(sqnrColor(grade, chartColors(palette()))).pixmap(14));
}

void PreferencesDialog::changeEvent(QEvent* event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colorSwatches();
}

void PreferencesDialog::tellDisplay()
{
    m_good->setMinimum(m_poor->value());  // raises it too
    m_display.limits = {.poor = m_poor->value(), .good = m_good->value()};
    m_display.numbers = {.digits = m_digits->value(),
                         .plainPowers = m_powers->currentData().toInt()};
    Q_EMIT displayChosen(m_display);
    showSamples();
}

/// The numbers of an example, as they are written then.
void PreferencesDialog::showSamples()
{
    const LabelFormat before = labelFormat();
    setLabelFormat(m_display.numbers);
    QStringList texts;
    for (const double value : {0.000123456789, 0.0188012345, 2.39123456, 76800.5, 1765152.0})
        texts += valueLabel(value);
    setLabelFormat(before);
    m_sample->setText(texts.join(QStringLiteral("    ")));
}

void PreferencesDialog::addStart(QFormLayout& form, const Values& values)
{
    addHeading(form, tr("At startup"));
    form.addRow(tr("&Recipe:"), makeRecipes(values.defaultRecipe));
    auto* reopens = new QCheckBox(tr("Re&open the last dump"), this);
    reopens->setObjectName(QStringLiteral("reopensLast"));
    reopens->setChecked(values.reopensLast);
    connect(reopens, &QCheckBox::toggled, this, &PreferencesDialog::reopensLastChosen);
    form.addRow(tr("Dump:"), reopens);
    form.addRow(tr("Results:"), makeCache(values));
}

QWidget* PreferencesDialog::makeRecipes(const QString& chosen)
{
    auto* choice = new QComboBox(this);
    choice->setObjectName(QStringLiteral("defaultRecipe"));
    choice->addItem(tr("as last used"), QString());
    for (const Recipe& recipe : recipes())
        choice->addItem(QString::fromStdString(recipe.title), QString::fromStdString(recipe.id));
    choice->setCurrentIndex(std::max(choice->findData(chosen), 0));
    connect(choice, &QComboBox::currentIndexChanged, this,
            [this, choice] { Q_EMIT defaultRecipeChosen(choice->currentData().toString()); });
    return choice;
}

QWidget* PreferencesDialog::makeCache(const Values& values)
{
    auto* part = new QWidget(this);
    auto* layout = new QHBoxLayout(part);
    layout->setContentsMargins({});
    auto* keeps = new QCheckBox(tr("Cac&he, so that dumps open faster next time"), part);
    keeps->setObjectName(QStringLiteral("keepsResults"));
    keeps->setChecked(values.keepsResults && !values.cacheFolder.isEmpty());
    connect(keeps, &QCheckBox::toggled, this, &PreferencesDialog::keepsResultsChosen);
    auto* clear = new QPushButton(part);
    clear->setObjectName(QStringLiteral("clearCache"));
    clear->setToolTip(values.cacheFolder);
    clear->setAutoDefault(false);
    const auto showSize = [clear, folder = values.cacheFolder] {
        const std::uint64_t bytes = cachedBytes(folder.toStdString());
        clear->setText(
            tr("&Clear (%1)").arg(QLocale().formattedDataSize(static_cast<qint64>(bytes), 1)));
        clear->setEnabled(bytes > 0);
    };
    connect(clear, &QPushButton::clicked, this, [folder = values.cacheFolder, showSize] {
        clearCache(folder.toStdString());
        showSize();
    });
    showSize();
    for (QWidget* widget : std::initializer_list<QWidget*>{keeps, clear})
        layout->addWidget(widget, 0, Qt::AlignLeft);
    part->setEnabled(!values.cacheFolder.isEmpty());
    return part;
}

QWidget* PreferencesDialog::makeShortcuts(const Values& values)
{
    auto* editor = new ShortcutEditor(values.shortcuts, this);
    connect(editor, &ShortcutEditor::choiceChanged, this,
            [this, editor] { Q_EMIT shortcutsChosen(editor->choice()); });
    return editor;
}

PreferencesController::PreferencesController(const MainWindowOptions& options, Document& document,
                                             std::vector<EngineRouter*> engines, Actions& actions,
                                             QWidget& window)
    : m_document(document),
      m_stored(options.keeping),
      m_theme(options.theme.value_or(m_stored.theme())),
      m_cacheProblem(QString::fromStdString(
          cacheFolderProblem(QFile::encodeName(options.cacheFolder).toStdString()))),
      m_cacheFolder(m_cacheProblem.isEmpty() ? options.cacheFolder : QString()),
      m_engines(std::move(engines)),
      m_actions(actions),
      m_window(window)
{
    applyCache();
    applyTheme(*qApp, m_theme);
    applyDisplay();
    applyShortcuts();
}

void PreferencesController::chooseTheme(Theme theme)
{
    m_theme = theme;
    applyTheme(*qApp, theme);
    m_stored.setTheme(theme);
    m_actions.refresh();
}

void PreferencesController::chooseDisplay(const DisplayChoices& display)
{
    const DisplayChoices before = m_stored.display();
    if (display == before)
        return;
    m_stored.setDisplay(display);
    const double pointsBefore = QApplication::font().pointSizeF();
    applyDisplay();
    scaleOwnFonts(m_window, QApplication::font().pointSizeF() / pointsBefore);
    if (display.limits != before.limits || display.numbers != before.numbers)
        showAnew();
}

void PreferencesController::chooseDefaultRecipe(const QString& id)
{
    m_stored.setDefaultRecipe(id);
    if (!id.isEmpty())
        edits::chooseRecipe(m_document, id);
}

void PreferencesController::applyDisplay()
{
    const DisplayChoices& display = m_stored.display();
    setSqnrLimits(display.limits);
    setLabelFormat(display.numbers);
    setPlotDrag(display.drag);
    applyFontSize(*qApp, display.fontPoints);
}

/// Cards, tables and plots make their texts when they hear of outcomes; lists when they are
/// painted.
void PreferencesController::showAnew()
{
    Q_EMIT m_document.changed({.parts = DocumentChange::Display | DocumentChange::Outcomes,
                               .before = m_document.workbench()});
    for (QAbstractItemView* view : m_window.findChildren<QAbstractItemView*>())
        view->viewport()->update();
}

void PreferencesController::edit()
{
    auto* dialog = new PreferencesDialog({.theme = m_theme,
                                          .defaultRecipe = m_stored.defaultRecipe(),
                                          .display = m_stored.display(),
                                          .reopensLast = m_stored.reopensLast(),
                                          .keepsResults = m_stored.keepsResults(),
                                          .cacheFolder = m_cacheFolder,
                                          .shortcuts = shortcuts()},
                                         m_stored.isRemembered(), &m_window);
    connect(dialog, &PreferencesDialog::themeChosen, this, &PreferencesController::chooseTheme);
    connect(dialog, &PreferencesDialog::defaultRecipeChosen, this,
            &PreferencesController::chooseDefaultRecipe);
    connect(dialog, &PreferencesDialog::displayChosen, this, &PreferencesController::chooseDisplay);
    connect(dialog, &PreferencesDialog::reopensLastChosen, this,
            [this](bool reopens) { m_stored.setReopensLast(reopens); });
    connect(dialog, &PreferencesDialog::keepsResultsChosen, this, [this](bool keeps) {
        m_stored.setKeepsResults(keeps);
        applyCache();
    });
    connect(dialog, &PreferencesDialog::shortcutsChosen, this,
            [this](const ShortcutChoice& shortcuts) {
                m_stored.setShortcuts(shortcuts.chosen());
                applyShortcuts();
            });
    dialog->open();
}

void PreferencesController::applyCache()
{
    for (EngineRouter* engine : m_engines)
        engine->setCacheFolder(m_stored.keepsResults() ? m_cacheFolder : QString());
}

void PreferencesController::applyShortcuts()
{
    const ShortcutChoice choice = shortcuts();
    for (const ActionSpec& spec : actionTable())
        m_actions.setShortcuts(spec.id, choice.keys(spec.id));
}

}  // namespace calibscope
