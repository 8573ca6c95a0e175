#include "ui/document/matrix_rows.h"

namespace calibscope {

bool MatrixCell::isExact(MatrixMetric metric) const
{
    switch (metric) {
    case MatrixMetric::Sqnr:
    case MatrixMetric::Mse:
    case MatrixMetric::ClippedShare: return hasExactMetrics;
    case MatrixMetric::Scale:
    case MatrixMetric::Threshold: return isExactScale;
    }
    return false;
}

MatrixCell matrixCell(const Outcome& outcome)
{
    if (!outcome.problem.empty())
        return {.values = {}, .problem = outcome.problem};
    const ScaleRow& whole = outcome.whole;
    return {.values = {whole.metric("sqnr_db"), whole.metric("mse"), whole.quantizer.scale,
                       whole.metric("clipped_share"), whole.clip.threshold},
            .isExactScale = whole.isExact,
            .hasExactMetrics = whole.hasExactMetrics,
            .problem = {}};
}

}  // namespace calibscope
