// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "ui/document/compare_edits.h"
#include "ui/document/comparison.h"
#include "ui/document/window_dumps.h"

#include <QTest>

#include <set>
#include <string>
#include <vector>

namespace calibscope::test {

/// An answer in which the values moved by so much of the largest magnitude, and all scales with
/// them. A's scale is 1/16 of the largest magnitude, 0.5.
inline protocol::Compared driftedBy(double share, const protocol::CompareRequest& request)
{
    protocol::Compared compared{.a = {}, .b = {}, .comparison = {}};
    compared.countsA = {1.0, 2.0};
    compared.countsB = {2.0, 1.0};
    compared.comparison.drift = Drift{.maxRatio = 1.0 + share,
                                      .earthMover = 4.0 * share,
                                      .earthMoverShare = share,
                                      .klDivergence = share};
    for (const Choice& choice : request.choices) {
        ChoiceComparison each;
        each.a.choice = choice;
        each.b.choice = choice;
        each.a.whole.quantizer.scale = 0.5;
        each.b.whole.quantizer.scale = 0.5 * (1.0 + share);
        each.b.whole.metrics = {{"sqnr_db", 30.0}};
        each.b.whole.hasExactMetrics = true;
        each.transferred = TransferredScales{.metrics = {{"sqnr_db", 30.0 - share}}};
        compared.comparison.choices.push_back(each);
    }
    return compared;
}

/// A document whose engines answer as they are told, and its comparison with a second dump.
struct ComparedDocument
{
    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};
    Comparison comparison{document, waited, background};
    WindowDumps dumps{document};

    static protocol::DumpOpened dumpOf(const std::vector<std::string>& names,
                                       const std::set<std::string>& larger = {})
    {
        protocol::DumpOpened dump;
        for (const std::string& name : names)
            dump.tensors.push_back({.name = name,
                                    .path = "/" + name,
                                    .role = Role::Activation,
                                    .shape = {8, larger.contains(name) ? 6U : 4U},
                                    .op = "Relu"});
        return dump;
    }

    /// Opens A and B with tensors of these names and matches them; `larger` have another shape in
    /// B.
    void open(const std::vector<std::string>& inA, const std::vector<std::string>& inB,
              const std::set<std::string>& larger = {})
    {
        document.open("/somewhere/a.h5");
        FakeEngine::answer(waited.opens, dumpOf(inA));
        compareWith(document, "/somewhere/b.h5");
        REQUIRE(comparison.state() == Comparison::State::Opening);
        FakeEngine::answer(waited.opens, dumpOf(inB, larger));
        waitUntilMatched();
    }
    void waitUntilMatched()
    {
        REQUIRE(QTest::qWaitFor([this] { return comparison.state() == Comparison::State::Ready; },
                                5000));
    }
    /// The pair that is being compared.
    void answerPair(double share)
    {
        REQUIRE_FALSE(background.comparisons.empty());
        FakeEngine::answer(background.comparisons,
                           driftedBy(share, background.comparisons.front().request));
    }
};

}  // namespace calibscope::test
