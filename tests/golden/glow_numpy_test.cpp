// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/collect/analyse.h"
#include "core/collect/collect_profile.h"
#include "core/recipes/make_choice.h"
#include "core/recipes/preset.h"
#include "tests/support/catch.h"

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

namespace glow_numpy_test {

using namespace calibscope;
using calibscope::test::Approx;

// tests/golden/glow.json, made by make_glow.py beside it: Glow's asymmetric KL read step by step.

nlohmann::json expectations()
{
    std::ifstream file(CALIBSCOPE_SOURCE_DIR "/tests/golden/glow.json");
    return nlohmann::json::parse(file);
}

/// As make_glow.py makes them: sums of four uniform 16-bit numbers, then outliers.
class Tensor
{
public:
    explicit Tensor(const nlohmann::json& entry) : m_state(entry.at("seed").get<std::uint32_t>())
    {
        for (const nlohmann::json& part : entry.at("parts"))
            addBatch(part.at(0), part.at(1), part.at(2), part.at(3));
    }

    [[nodiscard]] ValueSource source() const
    {
        return sourceOf({.role = Role::Activation,
                         .shape = {m_values.size()},
                         .batchAxis = 0,
                         .batchSize = m_values.size() / m_batches},
                        m_values);
    }

private:
    void addBatch(int count, double step, std::int64_t offset,
                  const std::vector<std::int64_t>& outliers)
    {
        ++m_batches;
        for (int value = 0; value < count; ++value) {
            std::int64_t sum = -(std::int64_t{1} << 17);
            for (int term = 0; term < 4; ++term) {
                m_state = m_state * 1664525U + 1013904223U;
                sum += m_state >> 16U;
            }
            // Rounded down, below 0 too.
            add((sum >= 0 ? sum : sum - 7) / 8 + offset, step);
        }
        for (const std::int64_t outlier : outliers)
            add(outlier, step);
    }
    void add(std::int64_t place, double step)
    {
        m_values.push_back(static_cast<float>(static_cast<double>(place) * step));
    }

    std::uint32_t m_state;
    std::size_t m_batches = 0;
    std::vector<float> m_values;
};

Outcome outcomeOf(const Tensor& tensor, int bins)
{
    const Choice choice = makeChoice(preset("glow-" + std::to_string(bins) + "-asymmetric-kl"), {},
                                     SchemeKind::Affine, Granularity::Tensor);
    const ValueSource source = tensor.source();
    TensorProfile profile = collectProfile(source);
    return analyse(source, profile, std::vector<Choice>{choice}, {}).front();
}

TEST_CASE("Glow's asymmetric KL on data away from 0 is the literal reading's, window to errors")
{
    std::size_t windowsWithout0 = 0;
    for (const nlohmann::json& entry : expectations()) {
        INFO(entry.at("tensor") << " in " << entry.at("bins") << " bins");
        const ScaleRow row = outcomeOf(Tensor(entry), entry.at("bins")).whole;
        const nlohmann::json& result = entry.at("result");
        const Range window{result.at("window").at(0), result.at("window").at(1)};
        windowsWithout0 += window.contains(0.0) ? 0U : 1U;
        CHECK(row.clip.range == window);
        CHECK(row.quantizer.scale == result.at("scale").get<double>());
        CHECK(row.quantizer.zeroPoint == result.at("offset").get<double>());
        const Range& clip = row.quantizer.clip;
        if (!window.contains(0.0))
            CHECK(clip == Range{result.at("low"), result.at("high")});
        // Sums of 4,000 terms in another order.
        CHECK(*row.metric("sqnr_db") ==
              Approx(result.at("sqnr_db").get<double>()).epsilon(1e-11).margin(0.0));
        CHECK(*row.metric("mse") ==
              Approx(result.at("mse").get<double>()).epsilon(1e-11).margin(0.0));
        if (!window.contains(0.0))
            CHECK(*row.metric("clipped_share") == result.at("clipped_share").get<double>());
    }
    CHECK(windowsWithout0 == 21);
}

}  // namespace glow_numpy_test
