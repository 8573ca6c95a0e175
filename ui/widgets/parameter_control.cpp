#include "ui/widgets/parameter_control.h"

#include "core/base/number_text.h"
#include "ui/widgets/number_box.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QWheelEvent>

#include <algorithm>
#include <limits>

namespace calibscope {

namespace {

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

QString parameterToolTip(const Parameter& parameter)
{
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
    if (parameter.kind != Parameter::Kind::Choice) {
        m_number = new NumberBox(parameter, this);
        layout->addWidget(m_number, 1);
        connect(m_number, &NumberBox::valueChanged, this, [this] { Q_EMIT edited(value()); });
        if (!m_words)
            setFocusProxy(m_number);
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
    const int word = m_words ? m_words->findText(value) : -1;
    const bool isWord = word >= 0 && word < static_cast<int>(m_parameter.words.size());
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
    return isNumberChosen() ? QString::fromStdString(numberText(m_number->value() + 0.0))
                            : m_words->currentText();
}

void ParameterControl::chooseWord()
{
    if (isNumberChosen() && m_number->isHidden()) {
        const QSignalBlocker silent(m_number);
        m_number->setValue(std::max(m_parameter.least, m_parameter.step));
    }
    if (m_number)
        m_number->setVisible(isNumberChosen());
    Q_EMIT edited(value());
}

}  // namespace calibscope
