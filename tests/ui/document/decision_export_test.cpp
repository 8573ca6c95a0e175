// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/decision_export.h"

#include "core/recipes/make_choice.h"
#include "tests/support/tested_document.h"

#include <QSignalSpy>

namespace decision_export_test {

using namespace calibscope;
using namespace calibscope::test;

/// Two dumps; /a and /none of the first one have decisions, /w of the second.
SessionDocument settledSession()
{
    const Choice choice =
        makeChoice("min-max", {}, SchemeKind::SymmetricRestricted, Granularity::Tensor);
    SessionDocument session;
    session.dumps.resize(3);
    session.dumps[0].identity.path = "/first.h5";
    session.dumps[0].own.decisions = {
        {"/none", {"min-max", "min-max", choice, ""}},
        {"/a", {"min-max", "min-max", choice, "a, \"quoted\" remark"}}};
    session.dumps[0].own.said = {{"/a", {.layoutOverride = {.role = Role::Weight}}}};
    session.dumps[1].identity.path = "/nothing settled.h5";
    session.dumps[2].identity.path = "/second.h5";
    session.dumps[2].own.decisions = {{"/w", {"min-max", "min-max", choice, ""}}};
    return session;
}

protocol::TensorView viewOf(const std::string& file, const std::string& tensor)
{
    Outcome outcome{.file = file, .tensor = tensor};
    outcome.choice = settledSession().dumps[2].own.decisions["/w"].choice;
    outcome.whole.quantizer.scale = 0.5;
    return {.profile = {}, .outcomes = {outcome}};
}

TEST_CASE("what was settled on is computed dump by dump, and written with its remark")
{
    FakeEngine engine;
    DecisionExport job(engine, settledSession());
    const QSignalSpy finished(&job, &DecisionExport::finished);
    job.start();
    CHECK(engine.opens.front().request.path == "/first.h5");
    FakeEngine::answer(engine.opens, someDump());
    REQUIRE(engine.views.size() == 1);
    CHECK(engine.views.front().request.tensor.index == a);
    CHECK(engine.views.front().request.tensor.layoutOverride.role == Role::Weight);
    CHECK(engine.views.front().request.exactMetrics);
    FakeEngine::answer(engine.views, viewOf("/first.h5", "a"));
    CHECK(engine.opens.front().request.path == "/second.h5");
    FakeEngine::answer(engine.opens, someDump());
    FakeEngine::answer(engine.views, viewOf("/second.h5", "w"));
    CHECK(finished.count() == 1);
    CHECK(job.problems() == QStringList{"/first.h5: there is no tensor /none"});
    const std::string csv = decisionTable(job.rows(), TableFormat::Csv);
    CHECK(csv.starts_with("file,tensor,role,"));
    CHECK(csv.find(",notes,remark\n") != std::string::npos);
    CHECK(csv.find("\n/first.h5,a,") != std::string::npos);
    CHECK(csv.find(",\"a, \"\"quoted\"\" remark\"\n/second.h5,w,") != std::string::npos);
    const std::string json = decisionTable(job.rows(), TableFormat::Json);
    CHECK(json.find("\"remark\": \"a, \\\"quoted\\\" remark\"") != std::string::npos);
}

TEST_CASE("a dump or tensor that can't be read is told, and the others are written")
{
    FakeEngine engine;
    DecisionExport job(engine, settledSession());
    job.start();
    FakeEngine::fail(engine.opens, "/first.h5: is gone");
    FakeEngine::answer(engine.opens, someDump());
    FakeEngine::fail(engine.views, "the engine ended");
    CHECK(job.rows().empty());
    CHECK(job.problems() == QStringList{"/first.h5: is gone", "/w: the engine ended"});
}

TEST_CASE("an export that is given up asks for nothing more")
{
    FakeEngine engine;
    {
        DecisionExport job(engine, settledSession());
        job.start();
    }
    CHECK(engine.cancelled.contains(engine.opens.front().id));
}

}  // namespace decision_export_test
