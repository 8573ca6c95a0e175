#pragma once

#include "ui/plot/plot_view.h"

#include <memory>

namespace calibscope {

/// A plot whose owner fills the content itself.
template <typename Content>
class ContentPlot : public PlotView
{
public:
    explicit ContentPlot(QWidget* parent = nullptr) : PlotView(std::make_unique<Content>(), parent)
    {}

    [[nodiscard]] Content& shown() const { return static_cast<Content&>(content()); }
    /// To be called when the content was changed. `dataChanged`: x shows all again.
    void update(bool dataChanged) { refresh(dataChanged); }
};

}  // namespace calibscope
