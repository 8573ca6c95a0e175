// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/deploy/deploy_form.h"

#include "ui/pages/deploy/run_form.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"
#include "ui/widgets/expander.h"
#include "ui/widgets/parts_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace calibscope {

namespace {

constexpr int mostSamples = 1000000;

}  // namespace

DeployForm::DeployForm(Deployment& deployment, QWidget* parent)
    : QWidget(parent),
      m_deployment(deployment),
      m_run(new RunForm(deployment, this)),
      m_settings(new Expander(QString(), this)),
      m_fields(new FieldGrid(this)),
      m_improves(new QCheckBox(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(6);
    layout->addLayout(makePaths());
    layout->addWidget(m_run);
    m_improves->setToolTip(
        tr("Layers stay float, channels are divided and biases moved as ticked on page Improve"));
    connect(m_improves, &QCheckBox::clicked, this, [this](bool isOn) {
        DeployOptions options = m_deployment.options();
        options.improves = isOn;
        m_deployment.setOptions(options);
    });
    layout->addWidget(m_improves);
    m_settings->setContent(m_fields);
    layout->addWidget(m_settings);
    makeChoices();
    makeCheck();
    refresh();
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

QGridLayout* DeployForm::makePaths()
{
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(4);
    const auto add = [&](const QString& label, QWidget* row) {
        auto* text = new PlainLabel(label, this);
        text->setBuddy(row->focusProxy());
        grid->addWidget(text, grid->rowCount(), 0);
        grid->addWidget(row, grid->rowCount() - 1, 1);
    };
    add(tr("Model"),
        pathRow(m_model, tr("Choose &model..."),
                tr("The ONNX model that the dump was recorded from"), &DeployForm::modelRequested));
    add(tr("Write to"),
        pathRow(m_output, tr("Choose file..."),
                tr("Where the quantized model is written; the recorded one is never changed"),
                &DeployForm::outputRequested));
    return grid;
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
    m_fields->add(tr("&Places"), m_places);
    m_activations =
        choice(tr("Activations"), tr("The integers of activations"),
               {{QStringLiteral("int8"), tr("int8"), tr("-128 to 127")},
                {QStringLiteral("uint8"), tr("uint8"), tr("0 to 255: the same values, 128 added")}},
               &DeployOptions::activations);
    m_fields->add(tr("&Activations"), m_activations);
    m_biases = choice(
        tr("Biases"), tr("How biases are written"),
        {{QStringLiteral("float"), tr("float"), tr("As they are")},
         {QStringLiteral("int32"), tr("int32"), tr("In integers of the product of both scales")}},
        &DeployOptions::biases);
    m_fields->add(tr("&Biases"), m_biases);
    m_target = choice(tr("Target"), tr("Which runtime's rules are checked before writing"),
                      {{QStringLiteral("any"), tr("any runtime"), {}},
                       {QStringLiteral("onnxruntime"), tr("ONNX Runtime"), {}},
                       {QStringLiteral("tensorrt"), tr("TensorRT"), {}}},
                      &DeployOptions::target);
    m_fields->add(tr("Tar&get"), m_target);
    m_weightsTo =
        choice(tr("Weight levels"),
               tr("Largest level of 8-bit weights: x86 processors without VNNI saturate above 63"),
               {{QStringLiteral("auto"), tr("as the target needs"),
                 tr("63, but for TensorRT 127, which does not saturate")},
                {QStringLiteral("127"), tr("to 127"), tr("Where every processor has VNNI")},
                {QStringLiteral("63"), tr("to 63"), tr("Where none may saturate")}},
               &DeployOptions::weightsTo);
    m_fields->add(tr("&Weight levels"), m_weightsTo);
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
    m_fields->add(tr("&Runner"), m_runner);
    m_samples = number(tr("all"), tr("On how many of the recorded samples the models are run"),
                       mostSamples, &DeployOptions::samples);
    m_fields->add(tr("&Samples"), m_samples);
    m_draws = number(tr("none"),
                     tr("Further models with every scale times 1 to 1.003, to see what of an "
                        "output's SQNR is luck; each is run like the quantized one"),
                     mostDraws, &DeployOptions::draws);
    m_fields->add(tr("&Draws"), m_draws);
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
    const std::size_t ticked = m_deployment.tickedRemedies();
    m_improves->setText(ticked > 0 ? tr("W&ith %1 of page Improve")
                                         .arg(countText(ticked, tr("1 remedy"), tr("%1 remedies")))
                                   : tr("W&ith the remedies of page Improve, computed anew"));
    m_improves->setVisible(m_deployment.hasRemedies());
    m_improves->setChecked(options.improves);
    m_run->refresh();
    m_settings->setTitle(settingsTitle());
    setEnabled(!m_deployment.running());
}

/// Of options that are as usual only those that matter most.
QString DeployForm::settingsTitle() const
{
    const DeployOptions& options = m_deployment.options();
    const DeployOptions usual;
    QStringList words{m_places->currentText(), m_activations->currentText()};
    if (options.biases != usual.biases)
        words += tr("biases %1").arg(m_biases->currentText());
    if (options.target != usual.target)
        words += m_target->currentText();
    if (options.weightsTo != usual.weightsTo)
        words += tr("weights %1").arg(m_weightsTo->currentText());
    if (!options.runner.trimmed().isEmpty())
        words += options.runner.trimmed();
    if (options.samples > 0)
        words += countText(static_cast<std::uint64_t>(options.samples), tr("1 sample"),
                           tr("%1 samples"));
    if (options.draws > 0)
        words += countText(static_cast<std::uint64_t>(options.draws), tr("1 draw"), tr("%1 draws"));
    return tr("Settings: %1").arg(words.join(QStringLiteral(", ")));
}

void DeployForm::editRunner()
{
    m_settings->setOpen(true);
    m_runner->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace calibscope
