// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/best_offer.h"

#include "ui/document/deployment.h"
#include "ui/document/questions.h"
#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>

#include <utility>

namespace calibscope {

namespace {

constexpr int schemesRole = Qt::UserRole + 1;  // set: symmetric ones alone

}  // namespace

BestOffer::BestOffer(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_least(new QDoubleSpinBox(this)),
      m_basis(new QComboBox(this)),
      m_button(new QPushButton(this)),
      m_text(new PlainLabel(this))
{
    auto* label = new PlainLabel(tr("Ta&ke the best calibrators where they gain"), this);
    label->setBuddy(m_least);
    m_least->setRange(leastGainDb, mostLeastGainDb);
    m_least->setDecimals(1);
    m_least->setSingleStep(leastGainDb);
    m_least->setValue(usualLeastGainDb);
    m_least->setSuffix(tr(" dB"));
    m_basis->setObjectName(QStringLiteral("bestBasis"));
    m_basis->setAccessibleName(tr("Gains are counted in"));
    m_basis->addItem(tr("in tensors' SQNR"), static_cast<int>(GainBasis::Tensor));
    m_basis->setItemData(0, tr("SQNR of the tensor's own values"), Qt::ToolTipRole);
    m_basis->addItem(tr("in SQNR, symmetric"), static_cast<int>(GainBasis::Tensor));
    m_basis->setItemData(
        1, tr("The same of calibrators without a zero point: TensorRT and ncnn take no others"),
        Qt::ToolTipRole);
    m_basis->setItemData(1, true, schemesRole);
    m_basis->addItem(tr("at layers' outputs"), static_cast<int>(GainBasis::Layer));
    m_basis->setItemData(2,
                         tr("SQNR of a layer's output, with all candidates tried on its input and "
                            "its weight"),
                         Qt::ToolTipRole);
    m_button->setObjectName(QStringLiteral("takeBest"));
    m_text->setObjectName(QStringLiteral("bestText"));
    m_text->setForegroundRole(QPalette::PlaceholderText);
    m_text->setWordWrap(true);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins({});
    grid->setHorizontalSpacing(6);
    grid->addWidget(label, 0, 0);
    grid->addWidget(m_least, 0, 1);
    grid->addWidget(m_basis, 0, 2);
    grid->setColumnStretch(3, 1);
    auto* line = new QHBoxLayout;  // below: a narrow window has no room for all in one
    line->addWidget(m_button);
    line->addWidget(m_text, 1);
    grid->addLayout(line, 1, 0, 1, 4);
    connect(m_least, &QDoubleSpinBox::valueChanged, this, &BestOffer::changed);
    connect(m_basis, &QComboBox::currentIndexChanged, this, &BestOffer::changed);
    connect(m_button, &QPushButton::clicked, this, &BestOffer::apply);
    const MatrixReader& matrix = document.questions().matrix();
    connect(&matrix, &MatrixReader::started, this, &BestOffer::show);
    connect(&matrix, &MatrixReader::progressed, this, &BestOffer::show);
    const LayerReader& layers = document.questions().layers();
    const auto followLayers = [this] {
        if (basis() == GainBasis::Layer && isVisible())
            Q_EMIT changed();
    };
    connect(&layers, &LayerReader::listed, this, followLayers);
    connect(&layers, &LayerReader::rowChanged, this, followLayers);
}

void BestOffer::addEnd(Deployment& deployment)
{
    m_deployment = &deployment;
    m_basis->addItem(tr("at the end (predicted)"), static_cast<int>(GainBasis::End));
    m_basis->setItemData(m_basis->count() - 1,
                         tr("SQNR of the network's end, from its table, of choices that were "
                            "measured in it"),
                         Qt::ToolTipRole);
    connect(&deployment, &Deployment::changed, this, [this] {
        if (basis() == GainBasis::End && isVisible())
            Q_EMIT changed();
    });
}

GainBasis BestOffer::basis() const
{
    return static_cast<GainBasis>(m_basis->currentData().toInt());
}

void BestOffer::refresh(const std::vector<int>& tensors)
{
    constexpr double leastEndGainDb = 0.1;  // of one tensor of many
    const Schemes schemes =
        m_basis->currentData(schemesRole).isValid() ? Schemes::Symmetric : Schemes::All;
    const bool areOtherSchemes = std::exchange(m_schemes, schemes) != schemes;
    const bool isOther = m_gains.basis != basis() || areOtherSchemes;
    const QSignalBlocker silence(m_least);
    m_least->setMinimum(basis() == GainBasis::End ? leastEndGainDb : leastGainDb);
    if (basis() == GainBasis::Layer)
        m_gains = bestLayerGains(m_document);
    else if (basis() == GainBasis::End)
        m_gains = bestEndGains(m_document, m_deployment->endBest());
    else if (isOther || !m_document.questions().matrix().isRunning())
        m_gains = bestGains(m_document, tensors, schemes);
    show();
}

std::map<int, double> BestOffer::raised() const
{
    std::map<int, double> raised;
    if (m_gains.basis == GainBasis::Tensor)
        for (const Gain& gain : m_gains.of(m_least->value()))
            raised[gain.best.front().tensor] = gain.fromDb + gain.gainDb;
    return raised;
}

std::optional<QString> BestOffer::progress() const
{
    const MatrixReader& matrix = m_document.questions().matrix();
    const LayerReader& layers = m_document.questions().layers();
    if (basis() == GainBasis::Tensor && matrix.isRunning())
        return tr("All calibrators are being computed on all tensors: %1 of %2")
            .arg(countLabel(matrix.done()), countLabel(matrix.total()));
    if (basis() == GainBasis::Layer && layers.isTrying())
        return layers.isListing()
                   ? tr("Looking for layers…")
                   : tr("Candidates are being tried on the layers: %1 of %2")
                         .arg(countLabel(layers.tried()), countLabel(layers.computable()));
    if (basis() == GainBasis::End && m_deployment->running() == Deployment::Step::Best)
        return tr("Reading the table of the end...");
    return std::nullopt;
}

QString BestOffer::obstacle() const
{
    const LayerReader& layers = m_document.questions().layers();
    if (basis() == GainBasis::Layer && m_gains.asked == 0)
        return !layers.problem().isEmpty()
                   ? layers.problem()
                   : tr("No layer can be computed: the page Layers says which tensors or operators "
                        "are missing.");
    if (basis() != GainBasis::End)
        return {};
    if (const QString obstacle = m_deployment->obstacle(Deployment::Step::Best);
        !obstacle.isEmpty())
        return obstacle;
    if (!m_deployment->endBest().empty())
        return m_gains.asked > 0
                   ? QString()
                   : tr("The table of the end has one choice for each operand: calib improve --end "
                        "measures those of other decisions, too.");
    return m_deployment->running() ? tr("Another step is running.") : QString();
}

void BestOffer::show()
{
    const LayerReader& layers = m_document.questions().layers();
    const bool isOfLayers = basis() == GainBasis::Layer;
    const bool isOfEnd = basis() == GainBasis::End;
    const std::size_t gaining = m_gains.of(m_least->value()).size();
    const std::optional<QString> working = progress();
    const bool isUnlisted = isOfLayers && layers.rows().empty() && layers.problem().isEmpty() &&
                            (!layers.isStarted() || layers.isListing());
    const bool isUnread = isOfEnd && m_deployment->endBest().empty();
    const bool lacks = m_gains.unknown > 0 || isUnlisted || (isUnread && obstacle().isEmpty());
    if (working) {
        m_button->setText(tr("Stop"));
        m_text->setText(*working);
    } else if (lacks) {
        m_button->setText(isOfEnd      ? tr("Look up its table")
                          : isOfLayers ? tr("Try candidates on all layers")
                                       : tr("Compute all calibrators"));
        const bool hasFailed = isOfEnd && m_deployment->failedStep() == Deployment::Step::Best &&
                               !m_deployment->problem().isEmpty();
        m_text->setText(
            hasFailed ? m_deployment->problem()
            : m_gains.unknown == m_gains.asked
                ? tr("The gain is shown here before anything is accepted.")
            : isOfLayers
                ? tr("On %1 layers they are not tried yet.").arg(countLabel(m_gains.unknown))
                : tr("On %1 tensors they are not computed yet.").arg(countLabel(m_gains.unknown)));
    } else if (const QString reason = obstacle(); !reason.isEmpty()) {
        m_button->setText(tr("&Accept"));
        m_text->setText(reason);
    } else {
        m_button->setText(
            gaining == 0 ? tr("&Accept")
            : isOfLayers
                ? countText(gaining, tr("&Accept for 1 layer"), tr("&Accept for %1 layers"))
                : countText(gaining, tr("&Accept for 1 tensor"), tr("&Accept for %1 tensors")));
        m_text->setText(m_gains.sentences(m_least->value()).join(u' '));
    }
    m_button->setEnabled(working || lacks || gaining > 0);
}

void BestOffer::apply()
{
    Questions& questions = m_document.questions();
    const bool isOfLayers = basis() == GainBasis::Layer;
    if (basis() == GainBasis::End) {
        if (progress())
            m_deployment->cancel();
        else if (m_deployment->endBest().empty())
            m_deployment->start(Deployment::Step::Best);
        else
            Q_EMIT requested(m_gains, m_least->value());
    } else if (progress())
        isOfLayers ? questions.layers().stopTrials() : questions.matrix().stop();
    else if (isOfLayers && (m_gains.unknown > 0 || m_gains.asked == 0))
        questions.layers().startTrials();
    else if (m_gains.unknown > 0)
        questions.startMatrix(false);
    else
        Q_EMIT requested(m_gains, m_least->value());
    show();
}

}  // namespace calibscope
