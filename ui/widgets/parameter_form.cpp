// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/parameter_form.h"

#include "core/base/number_text.h"
#include "core/base/settings.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace calibscope {

namespace {

constexpr int decimalsKept = 48;  // 18 digits of the least number that a parameter takes, 1e-30
constexpr int widthInDigits = 8;

bool wantsWhole(const Parameter& parameter)
{
    return parameter.kind == Parameter::Kind::Integer || parameter.isWhole;
}

/// Shown, and edited by nobody.
bool isText(const Parameter& parameter)
{
    return parameter.kind == Parameter::Kind::Choice && parameter.words.empty();
}

constexpr double largestFloat = static_cast<double>(std::numeric_limits<float>::max());

/// A list that leaves the wheel to what scrolls it.
class WordList : public QComboBox
{
public:
    explicit WordList(QWidget* parent) : QComboBox(parent) { setFocusPolicy(Qt::StrongFocus); }

protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

QString numbersText(const Parameter& parameter)
{
    const auto text = [](double value) { return QString::fromStdString(numberText(value)); };
    if (parameter.greatest >= largestFloat)
        return ParameterControl::tr("%1 or more").arg(text(parameter.least));
    return ParameterControl::tr("%1 to %2").arg(text(parameter.least), text(parameter.greatest));
}

}  // namespace

NumberBox::NumberBox(const Parameter& parameter, QWidget* parent)
    : QDoubleSpinBox(parent), m_isWhole(wantsWhole(parameter))
{
    setDecimals(m_isWhole ? 0 : decimalsKept);
    setRange(parameter.least, parameter.greatest);
    setSingleStep(parameter.step > 0.0 ? parameter.step : 1.0);
    setKeyboardTracking(false);
    setFocusPolicy(Qt::StrongFocus);
    setAccelerated(true);
    if (!parameter.unit.empty())
        setSuffix(u' ' + QString::fromStdString(parameter.unit));
}

QString NumberBox::textFromValue(double value) const
{
    return QString::fromStdString(numberText(value + 0.0));  // + 0.0 turns -0 into 0
}

QString NumberBox::withoutUnit(const QString& text) const
{
    QString bare = text;
    if (!suffix().isEmpty() && bare.endsWith(suffix()))
        bare.chop(suffix().size());
    return bare.trimmed();
}

double NumberBox::valueFromText(const QString& text) const
{
    return parseNumber(withoutUnit(text).toStdString()).value_or(value());
}

QValidator::State NumberBox::validate(QString& text, int&) const
{
    static const QRegularExpression start(QStringLiteral("^[-+]?\\d*\\.?\\d*([eE][-+]?\\d*)?$"));
    const QString bare = withoutUnit(text);
    const std::optional<double> number = parseNumber(bare.toStdString());
    if (number && *number >= minimum() && *number <= maximum() &&
        (!m_isWhole || std::floor(*number) == *number))
        return QValidator::Acceptable;
    return start.match(bare).hasMatch() ? QValidator::Intermediate : QValidator::Invalid;
}

void NumberBox::stepBy(int steps)
{
    constexpr int stepDigits = 12;  // 0.1 + 0.2 is 0.3 to its reader
    const double next = value() + steps * singleStep();
    setValue(QString::number(next, 'g', stepDigits).toDouble());
}

QSize NumberBox::sizeHint() const
{
    const QString widest = QString(widthInDigits, u'0') + suffix();
    QSize size = QDoubleSpinBox::sizeHint();
    size.setWidth(fontMetrics().horizontalAdvance(widest) + 2 * size.height());
    return size;
}

void NumberBox::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

QString parameterToolTip(const Parameter& parameter)
{
    if (isText(parameter))
        return QString::fromStdString(parameter.help);
    QStringList accepted;
    for (const std::string& word : parameter.words)
        accepted += QString::fromStdString(word);
    if (parameter.kind != Parameter::Kind::Choice)
        accepted += numbersText(parameter);
    return ParameterControl::tr("%1\nAccepted: %2\nDefault: %3")
        .arg(QString::fromStdString(parameter.help), accepted.join(QStringLiteral(", ")),
             QString::fromStdString(parameter.fallback));
}

ParameterControl::ParameterControl(const Parameter& parameter, QWidget* parent)
    : QWidget(parent), m_parameter(parameter)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(4);
    if (!parameter.words.empty()) {
        m_words = new WordList(this);
        for (const std::string& word : parameter.words)
            m_words->addItem(QString::fromStdString(word));
        if (parameter.kind == Parameter::Kind::NumberOrWord)
            m_words->addItem(tr("number"));
        m_words->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_words->setMinimumContentsLength(parameter.kind == Parameter::Kind::Choice ? 10 : 5);
        layout->addWidget(m_words, 1);
        connect(m_words, &QComboBox::activated, this, &ParameterControl::chooseWord);
        setFocusProxy(m_words);
    }
    if (isText(parameter)) {
        m_text = new ElidedLabel(Qt::ElideMiddle, this);
        layout->addWidget(m_text, 1);
    } else if (parameter.kind != Parameter::Kind::Choice) {
        m_number = new NumberBox(parameter, this);
        layout->addWidget(m_number, 1);
        connect(m_number, &NumberBox::valueChanged, this, [this] { Q_EMIT edited(value()); });
        if (!m_words)
            setFocusProxy(m_number);
    }
    if (parameter.isPerChannel) {
        m_list = new PlainLabel({}, this);
        layout->addWidget(m_list, 1);
    }
    const QString name = QString::fromStdString(parameter.label);
    for (QWidget* control : std::initializer_list<QWidget*>{m_words, m_number})
        if (control) {
            control->setAccessibleName(name);
            control->setAccessibleDescription(QString::fromStdString(parameter.help));
        }
    setToolTip(parameterToolTip(parameter));
    setValue(QString::fromStdString(parameter.fallback));
}

bool ParameterControl::isNumberChosen() const
{
    return m_number &&
           (!m_words || m_words->currentIndex() == static_cast<int>(m_parameter.words.size()));
}

void ParameterControl::setValue(const QString& value)
{
    if (m_text)
        return m_text->setText(value);
    m_listed = m_list && value.contains(u' ') ? value : QString();
    if (m_list) {
        m_list->setText(QString::fromStdString(shortValue(m_listed.toStdString())));
        m_list->setVisible(!m_listed.isEmpty());
    }
    if (!m_listed.isEmpty()) {  // is there to be seen, as the numbers of a file are
        if (m_words)
            m_words->setCurrentIndex(static_cast<int>(m_parameter.words.size()));
        m_number->hide();
        return;
    }
    const auto found = std::ranges::find(m_parameter.words, value.toStdString());
    const int word = static_cast<int>(found - m_parameter.words.begin());
    const bool isWord = m_words && found != m_parameter.words.end();
    if (m_words)
        m_words->setCurrentIndex(isWord ? word : static_cast<int>(m_parameter.words.size()));
    if (!m_number)
        return;
    const QSignalBlocker silent(m_number);
    if (!isWord)
        m_number->setValue(parseNumber(value.toStdString()).value_or(m_parameter.least));
    m_number->setVisible(!isWord);
}

QString ParameterControl::value() const
{
    if (m_text)
        return m_text->text();
    if (!m_listed.isEmpty() && isNumberChosen())
        return m_listed;
    return isNumberChosen()
               ? QString::fromStdString(numberText(m_number->value() + 0.0))
               : QString::fromStdString(
                     m_parameter.words[static_cast<std::size_t>(m_words->currentIndex())]);
}

void ParameterControl::setWords(const QStringList& shown)
{
    for (int word = 0; m_words && word < shown.size(); ++word)
        if (m_words->itemText(word) != shown[word])
            m_words->setItemText(word, shown[word]);
}

void ParameterControl::chooseWord()
{
    m_listed.clear();
    if (m_list)
        m_list->hide();
    if (isNumberChosen() && m_number->isHidden()) {
        const QSignalBlocker silent(m_number);
        m_number->setValue(std::max(m_parameter.least, m_parameter.step));
    }
    if (m_number)
        m_number->setVisible(isNumberChosen());
    Q_EMIT edited(value());
}

ParameterForm::ParameterForm(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins({});
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(0, 2);
    m_grid->setColumnStretch(1, 3);
}

void ParameterForm::setParameters(std::span<const Parameter> parameters)
{
    const bool isSame = std::ranges::equal(
                            m_rows, parameters, {}, [](const Row& row) { return row.parameter.id; },
                            &Parameter::id) &&
                        std::ranges::equal(
                            m_rows, parameters, {},
                            [](const Row& row) { return row.parameter.label; }, &Parameter::label);
    if (isSame)
        return;
    for (const Row& row : m_rows) {
        // Not at once: the control may be telling of its own change.
        row.label->deleteLater();
        row.control->deleteLater();
        row.reset->deleteLater();
        for (QWidget* widget : std::initializer_list<QWidget*>{row.label, row.control, row.reset}) {
            m_grid->removeWidget(widget);
            widget->hide();
        }
    }
    m_rows.clear();
    for (const Parameter& parameter : parameters)
        addRow(parameter);
    m_isStacked = isVisible() && width() < widthBeside();
    place();
}

int ParameterForm::widthBeside() const
{
    int label = 0;
    int control = 0;
    int reset = 0;
    for (const Row& row : m_rows) {
        label = std::max(label, row.label->minimumSizeHint().width());
        control = std::max(control, row.control->minimumSizeHint().width());
        reset = std::max(reset, row.reset->sizeHint().width());
    }
    return label + control + reset + 2 * m_grid->horizontalSpacing();
}

void ParameterForm::place()
{
    int line = 0;
    for (const Row& row : m_rows) {
        for (QWidget* widget : std::initializer_list<QWidget*>{row.label, row.control, row.reset})
            m_grid->removeWidget(widget);
        const int columns = m_isStacked ? 2 : 1;
        m_grid->addWidget(row.label, line, 0, 1, columns);
        line += m_isStacked ? 1 : 0;
        m_grid->addWidget(row.control, line, m_isStacked ? 0 : 1, 1, columns);
        m_grid->addWidget(row.reset, line++, 2);
    }
}

void ParameterForm::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (const bool isNarrow = width() < widthBeside(); isNarrow != m_isStacked) {
        m_isStacked = isNarrow;
        place();
    }
}

void ParameterForm::addRow(const Parameter& parameter)
{
    Row row{.parameter = parameter};
    row.label = new PlainLabel(QString::fromStdString(parameter.label), this);
    row.label->setToolTip(parameterToolTip(parameter));
    row.control = new ParameterControl(parameter, this);
    row.label->setBuddy(row.control);
    row.reset = new QToolButton(this);
    row.reset->setAutoRaise(true);
    row.reset->setIcon(markGlyph(QStringLiteral("reset")));
    QSizePolicy keepsPlace = row.reset->sizePolicy();
    keepsPlace.setRetainSizeWhenHidden(true);
    row.reset->setSizePolicy(keepsPlace);
    row.reset->hide();
    connect(row.control, &ParameterControl::edited, this,
            [this, id = parameter.id](const QString& value) {
                Q_EMIT edited(id, value.toStdString());
            });
    m_rows.push_back(std::move(row));
}

void ParameterForm::setMeanings(const MeaningOf& meaning)
{
    for (const Row& row : m_rows) {
        QStringList shown;
        for (const std::string& word : row.parameter.words) {
            const QString means = meaning(row.parameter, word);
            shown += means.isEmpty()
                         ? QString::fromStdString(word)
                         : QStringLiteral("%1: %2").arg(QString::fromStdString(word), means);
        }
        row.control->setWords(shown);
    }
}

void ParameterForm::setValues(const ValueOf& now, const ValueOf& first)
{
    for (const Row& row : m_rows) {
        const std::string value = now(row.parameter.id);
        const std::string before = first(row.parameter.id);
        const QString shown = QString::fromStdString(value);
        if (row.control->value() != shown)
            row.control->setValue(shown);
        const bool isChanged = value != before;
        QFont font = this->font();
        font.setBold(isChanged);
        row.label->setFont(font);
        row.reset->setVisible(isChanged);
        row.reset->setToolTip(
            tr("Changed; reset to %1").arg(QString::fromStdString(shortValue(before))));
        row.reset->setAccessibleName(
            tr("Reset %1").arg(QString::fromStdString(row.parameter.label)));
        row.reset->disconnect(this);
        connect(row.reset, &QToolButton::clicked, this,
                [this, id = row.parameter.id, before] { Q_EMIT edited(id, before); });
    }
}

const ParameterForm::Row& ParameterForm::row(const std::string& id) const
{
    const auto found =
        std::ranges::find(m_rows, id, [](const Row& row) { return row.parameter.id; });
    if (found == m_rows.end())
        throw std::invalid_argument("the form has no parameter " + id);
    return *found;
}

ParameterControl& ParameterForm::control(const std::string& id) const
{
    return *row(id).control;
}

bool ParameterForm::isMarked(const std::string& id) const
{
    return !row(id).reset->isHidden();
}

}  // namespace calibscope
