// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pages/summary/best_offer.h"

#include "tests/support/deployed_document.h"
#include "ui/document/outcome_rows.h"
#include "ui/document/questions.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <fstream>
#include <string>

namespace best_offer_test {

using namespace calibscope;
using namespace calibscope::test;

/// A row of `calib improve --best`.
std::string bestRow(const std::string& tensor, const std::string& id, double gainDb, double db)
{
    return R"(, {"tensor": ")" + tensor + R"(", "kind": "input", "choice_id": ")" + id +
           R"(", "gain_db": )" + std::to_string(gainDb) + R"(, "predicted_db": )" +
           std::to_string(db) + R"(, "low_db": )" + std::to_string(db - 2.0) + R"(, "high_db": )" +
           std::to_string(db + 2.0) + "}";
}

/// An offer at the network's end, of a table next to the dump.
struct EndOffer : DeployedDocument
{
    EndOffer()
    {
        document.open(QString::fromStdString(folder.file("net.h5")));
        FakeEngine::answer(waited.opens, someDump());
        QObject::connect(&offer, &BestOffer::changed, &offer, [this] { offer.refresh({}); });
        QObject::connect(&offer, &BestOffer::requested, &offer,
                         [this](const BestGains& best, double leastDb) {
                             (void)acceptGains(document, best, leastDb);
                         });
        offer.addEnd(deployment);
        offer.setVisible(true);
        auto* basis = offer.findChild<QComboBox*>("bestBasis");
        basis->setCurrentIndex(basis->findText("at the end (predicted)"));
    }

    [[nodiscard]] QPushButton& button() const { return *offer.findChild<QPushButton*>("takeBest"); }
    [[nodiscard]] std::string text() const
    {
        return offer.findChild<QLabel*>("bestText")->text().toStdString();
    }
    /// Has the table looked up, with these rows behind that of what is decided.
    void lookUp(const std::string& others, const std::string& rows)
    {
        setTool(printing(R"([{"predicted_db": 17.4, "low_db": 15.0, "high_db": 19.8,)"
                         R"( "other_choices": )" +
                         others + "}" + rows + "]"));
        CHECK(button().text() == "Look up its table");
        button().click();
        CHECK(button().text() == "Stop");
        REQUIRE(QTest::qWaitFor([&] { return !deployment.running(); }, 20000));
    }

    /// Has decisions and a table; returns the id of a choice for a that is not accepted.
    std::string measure()
    {
        choosePaths();
        decide();
        std::ofstream(folder.file("net.end.json")) << "{}";
        offer.refresh({});
        for (const OutcomeRow& row : rowsOf(document, a))
            if (row.candidate.id != decisionOf(document, a)->id)
                return choiceId(row.candidate.choice);
        return {};
    }

    BestOffer offer{document};
};

TEST_CASE("the best for the network's end: grey without a table, or with one choice each")
{
    EndOffer test;
    CHECK_FALSE(test.button().isEnabled());
    CHECK_THAT(test.text(), containsText("Choose the model"));
    test.choosePaths();
    test.decide();
    CHECK_FALSE(test.button().isEnabled());
    CHECK_THAT(test.text(), containsText("Measure the end makes it"));
    std::ofstream(test.folder.file("net.end.json")) << "{}";
    test.offer.refresh({});
    test.lookUp("0", "");
    CHECK_FALSE(test.button().isEnabled());
    CHECK_THAT(test.text(), containsText("has one choice for each operand"));
}

TEST_CASE("the best for the network's end: the sum before it is accepted, one step")
{
    EndOffer test;
    const std::string other = test.measure();
    // The first alone gains less than 3 dB: what follows needs it.
    test.lookUp("4", bestRow("a", other, 2.0, 19.4) + bestRow("b", other, 3.0, 22.4) +
                         bestRow("b", other, 0.4, 22.8));
    CHECK(test.text() == "2 tensors raise the network's end from 17.4 to 22.4 dB (20.4 to 24.4), "
                         "predicted.");
    CHECK(test.button().text() == "&Accept for 2 tensors");
    auto* least = test.offer.findChild<QDoubleSpinBox*>();
    least->setValue(3.1);
    CHECK_FALSE(test.button().isEnabled());
    least->setValue(0.3);  // less than of a tensor itself
    CHECK_THAT(test.text(), containsText("3 tensors"));
    least->setValue(3.0);
    const auto before = test.document.workbench().decisions;
    test.button().click();
    CHECK(choiceId(decisionOf(test.document, a)->choice) == other);
    CHECK(choiceId(decisionOf(test.document, b)->choice) == other);
    CHECK(test.button().text() == "Look up its table");  // of other decisions
    test.document.undo();
    CHECK(test.document.workbench().decisions == before);
}

TEST_CASE("the best for the network's end: nothing behind a calibrator that is not there")
{
    EndOffer test;
    const std::string other = test.measure();
    test.lookUp("4", bestRow("a", other, 5.0, 22.4) + bestRow("b", "mse:0", 4.0, 26.4) +
                         bestRow("b", other, 3.0, 29.4));
    CHECK_THAT(test.text(),
               containsText("1 tensor raises the network's end from 17.4 to 22.4 dB") &&
                   containsText("2 more are not to be had"));
    test.button().click();
    CHECK_FALSE(decisionOf(test.document, b));
}

TEST_CASE("a table of the end that changes on disk is looked up anew")
{
    EndOffer test;
    const std::string other = test.measure();
    test.lookUp("4", bestRow("a", other, 5.0, 22.4));
    CHECK(test.button().text() == "&Accept for 1 tensor");
    std::ofstream(test.folder.file("net.end.json")) << "{ }";
    REQUIRE(QTest::qWaitFor([&] { return test.deployment.endBest().empty(); }, 20000));
    CHECK(test.button().text() == "Look up its table");
}

TEST_CASE("the best can be symmetric choices alone")
{
    EndOffer test;
    auto* basis = test.offer.findChild<QComboBox*>("bestBasis");
    basis->setCurrentIndex(basis->findText("in tensors' SQNR"));
    test.document.questions().startMatrix(false);
    while (!test.background.views.empty())
        FakeEngine::answer(test.background.views, viewFor(test.background.views.front().request));
    const auto best = [&](Schemes schemes) {
        const BestGains gains = bestGains(test.document, {a}, schemes);
        REQUIRE(gains.gains.size() == 1);
        const std::string id = gains.gains.front().best.front().candidate;
        for (const OutcomeRow& row : rowsOf(test.document, a))
            if (row.candidate.id == id)
                return row.candidate.choice.scheme;
        return Scheme();
    };
    CHECK(best(Schemes::All).isAffine());
    CHECK_FALSE(best(Schemes::Symmetric).isAffine());
    test.offer.refresh({a});
    const std::string ofAll = test.text();
    basis->setCurrentIndex(basis->findText("in SQNR, symmetric"));
    test.offer.refresh({a});
    CHECK_THAT(test.text(), containsText("1 of 1 tensors gain"));
    CHECK(test.text() != ofAll);

    // A decision with a zero point is replaced whatever that gains.
    acceptGains(test.document, bestGains(test.document, {a}), 0.5);
    while (!test.background.previews.empty())
        FakeEngine::answer(test.background.previews, {.sqnrDb = 60.0});
    const BestGains gains = bestGains(test.document, {a}, Schemes::Symmetric);
    REQUIRE(gains.gains.size() == 1);
    CHECK(gains.gains.front().isNeeded);
    CHECK(gains.gains.front().gainDb < 0.0);
    CHECK(gains.of(3.0).size() == 1);
    CHECK_THAT(gains.sentences(3.0).join(u' ').toStdString(),
               containsText("1 more becomes symmetric"));
}

}  // namespace best_offer_test
