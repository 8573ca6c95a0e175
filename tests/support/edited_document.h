// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/view_samples.h"
#include "ui/document/edits.h"
#include "ui/document/questions.h"

#include <QTest>

#include <algorithm>
#include <string>

namespace calibscope::test {

/// A document whose first tensor is shown, with a profile from which further candidates can be
/// estimated.
struct EditedDocument : TestedDocument
{
    EditedDocument()
    {
        edits::chooseRecipe(document, "rebellions-vision");
        openDump();
        answerEstimably();
    }
    void answerEstimably()
    {
        FakeEngine::answer(waited.views, estimableView(waited.views.front().request));
    }
    /// The engine is asked when the edits have come to rest.
    void waitForQuestion() const
    {
        REQUIRE(QTest::qWaitFor([this] { return !waited.views.empty(); }));
    }
    void waitForResult(const std::string& label)
    {
        REQUIRE(QTest::qWaitFor([&] { return row(label).hasResult(); }));
    }
    bool hasRow(const std::string& label) const
    {
        return std::ranges::any_of(document.questions().rows(), [&](const OutcomeRow& row) {
            return row.candidate.id == label;
        });
    }
};

}  // namespace calibscope::test
