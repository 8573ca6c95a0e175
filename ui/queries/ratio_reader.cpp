// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queries/ratio_reader.h"

#include <algorithm>
#include <utility>

namespace calibscope {

std::size_t thresholdsFor(const MagnitudeSketch& sketch)
{
    constexpr std::size_t terms = 3'000'000;
    const std::size_t bins = sketch.negative.size() + sketch.positive.size() + 1;
    return std::clamp<std::size_t>(terms / bins, 96, 192);
}

RatioReader::RatioReader(QObject* parent) : QObject(parent)
{
    m_begun.moveToThread(&m_thread);
}

RatioReader::~RatioReader()
{
    m_thread.quit();
    m_thread.wait();
}

void RatioReader::want(const ViewQuery::Shared& view, const Scheme& scheme)
{
    if (view != m_view) {
        m_lines.clear();
        m_view = view;
    }
    m_wanted.reset();
    if (find(view.get(), scheme))
        return;
    m_wanted = scheme;
    startNext();
}

const ThresholdRatio* RatioReader::find(const protocol::TensorView* view,
                                        const Scheme& scheme) const
{
    if (!view || view != m_view.get())
        return nullptr;
    const auto line = std::ranges::find(m_lines, scheme, &Line::scheme);
    return line == m_lines.end() ? nullptr : &line->ratio;
}

void RatioReader::clear()
{
    m_view.reset();
    m_lines.clear();
    m_wanted.reset();
}

void RatioReader::startNext()
{
    if (m_isWorking || !m_wanted)
        return;
    m_isWorking = true;
    m_thread.start();  // once
    m_begun.post([this, view = m_view, scheme = *std::exchange(m_wanted, std::nullopt)] {
        Line line{scheme,
                  thresholdRatio(view->profile, scheme, thresholdsFor(view->profile.sketch))};
        m_finished.post(
            [this, view, line = std::move(line)]() mutable { finish(view, std::move(line)); });
    });
}

/// What was wanted of a former view is of no use any more.
void RatioReader::finish(const ViewQuery::Shared& view, Line line)
{
    m_isWorking = false;
    if (view == m_view)
        m_lines.push_back(std::move(line));
    startNext();
    Q_EMIT found();
}

}  // namespace calibscope
