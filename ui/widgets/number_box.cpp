#include "ui/widgets/number_box.h"

#include "core/base/number_text.h"

#include <QRegularExpression>
#include <QWheelEvent>

#include <cmath>

namespace calibscope {

namespace {

constexpr int decimalsKept = 48;  // 18 digits of the least number that a parameter takes, 1e-30
constexpr int widthInDigits = 8;

bool wantsWhole(const Parameter& parameter)
{
    return parameter.kind == Parameter::Kind::Integer || parameter.isWhole;
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

QSize NumberBox::minimumSizeHint() const
{
    return sizeHint();
}

void NumberBox::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

}  // namespace calibscope
