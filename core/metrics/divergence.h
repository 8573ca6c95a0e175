#pragma once

#include <span>

namespace calibscope {

/// Kullback-Leibler divergence of Q from P in nats, for masses of the same bins (any positive
/// total): both are normalized, each bin gets 1e-12 so that no logarithm is infinite, and both are
/// normalized again. 0 or above. Requires equal sizes and positive totals.
[[nodiscard]] double smoothedDivergence(std::span<const double> p, std::span<const double> q);

}  // namespace calibscope
