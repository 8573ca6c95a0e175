// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/batch_scrubber.h"

#include "ui/plot/number_label.h"
#include "ui/theme/plain_text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <limits>

namespace calibscope {

BatchScrubber::BatchScrubber(QWidget* parent)
    : QWidget(parent), m_slider(new QSlider(Qt::Horizontal, this)), m_text(new PlainLabel(this))
{
    m_slider->setObjectName(QStringLiteral("batches"));
    m_slider->setMinimum(1);
    setFocusProxy(m_slider);
    m_slider->setAccessibleName(tr("Batches shown"));
    m_slider->setToolTip(tr("The histogram after this many batches"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(12);
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_text);
    connect(m_slider, &QSlider::valueChanged, this, [this] {
        showText();
        report(!m_slider->isSliderDown());
    });
    connect(m_slider, &QSlider::sliderReleased, this, [this] { report(true); });
    setBatches(1, std::nullopt);
}

void BatchScrubber::setBatches(std::uint64_t count, std::optional<std::uint64_t> shown)
{
    const auto known = [](std::uint64_t number) {
        return static_cast<int>(
            std::clamp<std::uint64_t>(number, 1, std::numeric_limits<int>::max()));
    };
    const QSignalBlocker blocker(m_slider);
    m_slider->setMaximum(known(count));
    m_slider->setPageStep(std::max(m_slider->maximum() / 10, 1));
    m_slider->setValue(known(shown.value_or(count)));
    // As wide as its longest text, so that the slider keeps its length.
    m_text->setMinimumWidth(m_text->fontMetrics().horizontalAdvance(
        tr("%1 of %2 batches").arg(countLabel(count), countLabel(count))));
    showText();
}

void BatchScrubber::showText()
{
    const auto shown = static_cast<std::uint64_t>(m_slider->value());
    const auto count = static_cast<std::uint64_t>(m_slider->maximum());
    m_text->setText(shown == count
                        ? tr("all %1 batches").arg(countLabel(count))
                        : tr("%1 of %2 batches").arg(countLabel(shown), countLabel(count)));
}

void BatchScrubber::report(bool isFinal)
{
    const bool isAll = m_slider->value() == m_slider->maximum();
    Q_EMIT chosen(isAll ? std::nullopt : std::optional(static_cast<quint64>(m_slider->value())),
                  isFinal);
}

}  // namespace calibscope
