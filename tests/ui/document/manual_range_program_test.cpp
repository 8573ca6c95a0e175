// SPDX-License-Identifier: GPL-3.0-or-later
// A threshold set by hand in the window and the same one given on the command line.
#include "ui/document/document.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"

#include "core/base/number_text.h"
#include "core/recipes/make_choice.h"
#include "tests/support/catch.h"
#include "tests/support/run_program.h"
#include "ui/charts/histogram_content.h"
#include "ui/pages/browse/browse_page.h"
#include "ui/queries/engine_client.h"

#include <QLineEdit>
#include <QTest>

#include <map>
#include <sstream>

namespace manual_range_program_test {

using namespace calibscope;
using namespace calibscope::test;

constexpr int patienceMs = 60000;
const std::string sample = CALIBSCOPE_SOURCE_DIR "/resources/sample/sample.h5";

/// The columns of the only row that `calib scales` writes, by name. No field before the notes has
/// a comma.
std::map<std::string, std::string> scalesRow(const std::string& tensor,
                                             const std::vector<std::string>& arguments)
{
    std::vector<std::string> all = {"scales", sample, "--tensor", tensor};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const ProgramRun run = runProgram("calib", all);
    INFO(run.errors);
    REQUIRE(run.exitCode == 0);
    std::istringstream lines(run.output);
    std::string names;
    std::string fields;
    std::getline(lines, names);
    std::getline(lines, fields);
    std::istringstream name(names);
    std::istringstream field(fields);
    std::map<std::string, std::string> row;
    for (std::string id, text; std::getline(name, id, ',') && std::getline(field, text, ',');)
        row[id] = text;
    return row;
}

struct RealDocument
{
    EngineClient waited;
    EngineClient background;
    Document document{waited, background};

    RealDocument()
    {
        for (EngineClient* engine : {&waited, &background})
            engine->setProgram(CALIBSCOPE_PROGRAM_DIR "/calib");
        document.open(QString::fromStdString(sample), {.tensor = "batch_norm_3.tmp_2"});
        wait();
    }
    void wait()
    {
        REQUIRE(QTest::qWaitFor([this] { return document.isIdle(); }, patienceMs));
    }
    OutcomeRow manualRow() const
    {
        const OutcomeRow row = document.questions().rows().back();
        REQUIRE(row.origin == OutcomeRow::Origin::Manual);
        return row;
    }
};

/// With the page on which a threshold is set by hand.
struct RealPage : RealDocument
{
    RealPage() { page.show(); }
    HistogramPlot& plot() { return const_cast<HistogramPlot&>(page.histogram()); }
    QString firstHandle() const
    {
        return QString::fromStdString(document.questions().rows().front().candidate.id) + "/high";
    }

    BrowsePage page{document};
};

void checkSame(const OutcomeRow& row, const std::map<std::string, std::string>& typed)
{
    REQUIRE(row.hasResult());
    const ScaleRow& whole = row.outcome->whole;
    CHECK(whole.hasExactMetrics);
    CHECK_FALSE(row.isEstimate);
    CHECK(numberText(whole.quantizer.scale) == typed.at("scale"));
    CHECK(numberText(whole.quantizer.clip.low) == typed.at("low"));
    CHECK(numberText(whole.quantizer.clip.high) == typed.at("high"));
    for (const char* metric :
         {"sqnr_db", "mse", "clipped_share", "max_error", "cosine", "kl", "squared_error"}) {
        INFO(metric);
        REQUIRE(whole.metric(metric));
        CHECK(numberText(*whole.metric(metric)) == typed.at(metric));
    }
}

TEST_CASE("dragging to a threshold, typing it and the command line give the same bits")
{
    constexpr double threshold = 2.6041666666666665;
    RealDocument dragged;
    for (const double passed : {3.7, 3.1, 2.9, 2.61})
        edits::setManualRange(dragged.document, passed, false);
    edits::setManualRange(dragged.document, threshold, true);
    dragged.wait();
    RealDocument typed;
    edits::setManualRange(typed.document, threshold, true);
    typed.wait();
    const Scheme& scheme = dragged.manualRow().candidate.choice.scheme;
    const std::map<std::string, std::string> row =
        scalesRow("batch_norm_3.tmp_2", {"--calibrator", "fixed:threshold=" + numberText(threshold),
                                         "--scheme", std::string(schemeText(scheme.kind))});
    checkSame(dragged.manualRow(), row);
    checkSame(typed.manualRow(), row);
}

TEST_CASE(
    "a line that is dragged, a typed number, arrow keys and the command line agree to the bit")
{
    RealPage keys;
    keys.plot().chooseHandle(keys.firstHandle());
    for (int press = 0; press < 40; ++press)
        QTest::keyClick(&keys.plot(), Qt::Key_Left);
    keys.wait();
    REQUIRE(edits::manualRange(keys.document));
    const double threshold = edits::manualRange(keys.document)->high;
    RealPage dragged;
    Q_EMIT dragged.plot().handleMoved(dragged.firstHandle(), threshold + 0.125, false);
    Q_EMIT dragged.plot().handleMoved(dragged.firstHandle(), threshold, true);
    dragged.wait();
    RealPage typed;
    auto* field = typed.page.findChild<QLineEdit*>("manualHigh");
    REQUIRE(field);
    field->setText(QString::fromStdString(numberText(threshold)));
    QTest::keyClick(field, Qt::Key_Return);
    typed.wait();
    const std::map<std::string, std::string> row =
        scalesRow("batch_norm_3.tmp_2",
                  {"--calibrator", "fixed:threshold=" + numberText(threshold), "--scheme",
                   std::string(schemeText(keys.manualRow().candidate.choice.scheme.kind))});
    checkSame(keys.manualRow(), row);
    checkSame(dragged.manualRow(), row);
    CHECK(edits::manualRange(typed.document) == edits::manualRange(keys.document));
}

TEST_CASE("both ends by hand under an affine scheme are those of the command line")
{
    RealDocument test;
    edits::setManualScheme(
        test.document, edits::addChoice(test.document, makeChoice("min-max", {}, SchemeKind::Affine,
                                                                  Granularity::Tensor)));
    edits::setManualRange(test.document, Range{-1.25, 2.875}, true);
    test.wait();
    checkSame(test.manualRow(),
              scalesRow("batch_norm_3.tmp_2",
                        {"--calibrator", "fixed:low=-1.25,high=2.875", "--scheme", "affine"}));
}

TEST_CASE("the estimate of a threshold has the scale of the exact answer, to the bit")
{
    RealDocument test;
    edits::setManualRange(test.document, 2.5, true);
    REQUIRE(QTest::qWaitFor([&] { return test.manualRow().hasResult(); }, patienceMs));
    const OutcomeRow first = test.manualRow();
    test.wait();
    CHECK(first.isEstimate);
    CHECK_FALSE(test.manualRow().isEstimate);
    CHECK(first.outcome->whole.quantizer.scale == test.manualRow().outcome->whole.quantizer.scale);
}

TEST_CASE("the numbers of a part are those of the command line")
{
    RealDocument test;
    test.document.questions().chooseChannel(1);
    test.wait();
    edits::setManualRange(test.document, 2.0, true);
    test.wait();
    checkSame(test.manualRow(),
              scalesRow("batch_norm_3.tmp_2",
                        {"--calibrator", "fixed:threshold=2", "--scheme",
                         std::string(schemeText(test.manualRow().candidate.choice.scheme.kind)),
                         "--channel", "1"}));
}

}  // namespace manual_range_program_test
