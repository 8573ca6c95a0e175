// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/deploy/deploy_form.h"

#include "ui/theme/plain_text.h"
#include "ui/widgets/parts_label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace calibscope {

namespace {

constexpr int widthForTwo = 440;
constexpr int widthForFour = 980;
constexpr int mostSamples = 1000000;

}  // namespace

DeployForm::DeployForm(Deployment& deployment, QWidget* parent)
    : QWidget(parent), m_deployment(deployment), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins({});
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(6);
    makePaths();
    makeChoices();
    makeCheck();
    place();
    refresh();
}

void DeployForm::addField(const QString& label, QWidget* control, bool isWide)
{
    auto* text = new PlainLabel(label, this);
    text->setBuddy(control->focusProxy() != nullptr ? control->focusProxy() : control);
    m_fields.push_back({.label = text, .control = control, .isWide = isWide});
}

QWidget* DeployForm::pathRow(ElidedLabel*& path, const QString& button, const QString& help,
                             void (DeployForm::*wanted)())
{
    auto* row = new QWidget(this);
    path = new ElidedLabel(Qt::ElideMiddle, row);
    path->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* choose = new QPushButton(button, row);
    choose->setToolTip(help);
    row->setFocusProxy(choose);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins({});
    layout->addWidget(path, 1);
    layout->addWidget(choose);
    connect(choose, &QPushButton::clicked, this, wanted);
    return row;
}

void DeployForm::makePaths()
{
    addField(tr("Model"),
             pathRow(m_model, tr("Choose &model..."),
                     tr("The ONNX model that the dump was recorded from"),
                     &DeployForm::modelRequested),
             true);
    addField(tr("Write to"),
             pathRow(m_output, tr("Ch&oose file..."),
                     tr("Where the quantized model is written; the recorded one is never changed"),
                     &DeployForm::outputRequested),
             true);
}

QComboBox* DeployForm::choice(const QString& name, const QString& help,
                              const std::vector<Word>& words, QString DeployOptions::*option)
{
    auto* box = new QComboBox(this);
    box->setAccessibleName(name);
    box->setToolTip(help);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(10);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    for (const Word& word : words) {
        box->addItem(word.title, word.id);
        box->setItemData(box->count() - 1, word.help, Qt::ToolTipRole);
    }
    connect(box, &QComboBox::activated, this,
            [this, box, option] { setOption(option, box->currentData().toString()); });
    return box;
}

void DeployForm::makeChoices()
{
    m_places = choice(tr("Places"),
                      tr("Which accepted activations get a pair of QuantizeLinear and "
                         "DequantizeLinear"),
                      {{QStringLiteral("operands"), tr("operands of layers"),
                        tr("Shows what the scales cost; runs at float's speed")},
                       {QStringLiteral("layers"), tr("operands and results"),
                        tr("Layers run in integers: the compromise")},
                       {QStringLiteral("decided"), tr("all accepted"),
                        tr("Every tensor with a decision, for all users")}},
                      &DeployOptions::places);
    addField(tr("&Places"), m_places);
    m_activations =
        choice(tr("Activations"), tr("The integers of activations"),
               {{QStringLiteral("int8"), tr("int8"), tr("-128 to 127")},
                {QStringLiteral("uint8"), tr("uint8"), tr("0 to 255: the same values, 128 added")}},
               &DeployOptions::activations);
    addField(tr("&Activations"), m_activations);
    m_biases = choice(
        tr("Biases"), tr("How biases are written"),
        {{QStringLiteral("float"), tr("float"), tr("As they are")},
         {QStringLiteral("int32"), tr("int32"), tr("In integers of the product of both scales")}},
        &DeployOptions::biases);
    addField(tr("&Biases"), m_biases);
    m_target = choice(tr("Target"), tr("Which runtime's rules are checked before writing"),
                      {{QStringLiteral("any"), tr("any runtime"), {}},
                       {QStringLiteral("onnxruntime"), tr("ONNX Runtime"), {}},
                       {QStringLiteral("tensorrt"), tr("TensorRT"), {}}},
                      &DeployOptions::target);
    addField(tr("&Target"), m_target);
    m_weightsTo =
        choice(tr("Weight levels"),
               tr("Largest level of 8-bit weights: x86 processors without VNNI saturate above 63"),
               {{QStringLiteral("auto"), tr("as the target needs"),
                 tr("63, but for TensorRT 127, which does not saturate")},
                {QStringLiteral("127"), tr("to 127"), tr("Where every processor has VNNI")},
                {QStringLiteral("63"), tr("to 63"), tr("Where none may saturate")}},
               &DeployOptions::weightsTo);
    addField(tr("&Weight levels"), m_weightsTo);
}

void DeployForm::makeCheck()
{
    m_runner = new QLineEdit(this);
    m_runner->setPlaceholderText(tr("Node.js with onnxruntime-node"));
    m_runner->setToolTip(
        tr("Command that runs the models for the check; empty: Node.js with onnxruntime-node. For "
           "example: python3 /path/to/onnxruntime_python.py"));
    connect(m_runner, &QLineEdit::editingFinished, this,
            [this] { setOption(&DeployOptions::runner, m_runner->text()); });
    addField(tr("&Runner"), m_runner);
    m_samples = number(tr("all"), tr("On how many of the recorded samples the models are run"),
                       mostSamples, &DeployOptions::samples);
    addField(tr("&Samples"), m_samples);
    m_draws = number(tr("none"),
                     tr("Further models with every scale times 1 to 1.003, to see what of an "
                        "output's SQNR is luck; each is run like the quantized one"),
                     mostDraws, &DeployOptions::draws);
    addField(tr("&Draws"), m_draws);
}

QSpinBox* DeployForm::number(const QString& ofNone, const QString& help, int most,
                             int DeployOptions::*option)
{
    auto* box = new QSpinBox(this);
    box->setRange(0, most);
    box->setSpecialValueText(ofNone);
    box->setToolTip(help);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(box, &QSpinBox::valueChanged, this, [this, option](int value) {
        DeployOptions options = m_deployment.options();
        options.*option = value;
        m_deployment.setOptions(options);
    });
    return box;
}

void DeployForm::setOption(QString DeployOptions::*option, const QString& value)
{
    DeployOptions options = m_deployment.options();
    options.*option = value;
    m_deployment.setOptions(options);
}

void DeployForm::refresh()
{
    const DeployOptions& options = m_deployment.options();
    const auto showPath = [](ElidedLabel& label, const QString& path) {
        label.setText(path.isEmpty() ? tr("not chosen") : path);
        label.setForegroundRole(path.isEmpty() ? QPalette::PlaceholderText : QPalette::WindowText);
    };
    showPath(*m_model, options.model);
    showPath(*m_output, options.output);
    const auto choose = [](QComboBox& box, const QString& word) {
        box.setCurrentIndex(box.findData(word));
    };
    choose(*m_places, options.places);
    choose(*m_activations, options.activations);
    choose(*m_biases, options.biases);
    choose(*m_target, options.target);
    choose(*m_weightsTo, options.weightsTo);
    if (!m_runner->hasFocus())
        m_runner->setText(options.runner);
    const QSignalBlocker silence(m_samples);
    m_samples->setValue(options.samples);
    const QSignalBlocker silentDraws(m_draws);
    m_draws->setValue(options.draws);
    setEnabled(!m_deployment.running());
}

void DeployForm::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    place();
}

/// As many fields beside each other as there is room for.
void DeployForm::place()
{
    const int columns = width() >= widthForFour ? 4 : width() >= widthForTwo ? 2 : 1;
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (const Field& field : m_fields) {
        m_grid->removeWidget(field.label);
        m_grid->removeWidget(field.control);
    }
    for (int column = 0; column < 8; ++column)
        m_grid->setColumnStretch(column, column % 2 == 1 && column < 2 * columns ? 1 : 0);
    int row = 0;
    int column = 0;
    for (const Field& field : m_fields) {
        // A path takes a line where only two stand beside each other, else half of one.
        const int span = field.isWide ? std::min(columns, 2) : 1;
        if (column + span > columns) {
            column = 0;
            ++row;
        }
        m_grid->addWidget(field.label, row, 2 * column);
        m_grid->addWidget(field.control, row, 2 * column + 1, 1, 2 * span - 1);
        column += span;
    }
}

}  // namespace calibscope
