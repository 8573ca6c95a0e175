// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/catch.h"
#include "tests/support/fake_engine.h"
#include "ui/document/document.h"
#include "ui/document/questions.h"

#include <algorithm>
#include <vector>

namespace calibscope::test {

inline protocol::DumpOpened someDump()
{
    return {
        .identity = {},
        .attributes = {},
        .warnings = {},
        .tensors = {
            {.name = "w", .path = "/w", .role = Role::Weight, .shape = {4, 3}, .channelAxis = 0},
            {.name = "odd", .path = "/odd", .role = Role::Activation, .unreadable = "no plugin"},
            {.name = "a", .path = "/a", .role = Role::Activation, .shape = {8, 4}, .op = "Relu"},
            {.name = "b", .path = "/b", .role = Role::Activation, .shape = {8, 4}, .op = "Relu"}}};
}

/// One tensor that takes long to read and comes in batches, and one that does not.
inline protocol::DumpOpened largeDump()
{
    const auto tensor = [](const char* name, std::uint64_t width) {
        return TensorInfo{.name = name,
                          .path = std::string("/") + name,
                          .role = Role::Activation,
                          .shape = {16, width},
                          .batchAxis = 0,
                          .batchSize = 1};
    };
    return {.identity = {},
            .attributes = {},
            .warnings = {},
            .tensors = {tensor("large", 1'000'000), tensor("small", 1000)}};
}

inline constexpr int weight = 0;
inline constexpr int odd = 1;
inline constexpr int a = 2;
inline constexpr int b = 3;

/// The answer to a view: for each choice an outcome with an SQNR of 10 dB, 11 dB, ...
inline protocol::TensorView viewFor(const protocol::ViewRequest& request)
{
    protocol::TensorView view;
    double sqnrDb = 10.0;
    for (const Choice& choice : request.choices) {
        Outcome outcome{.choice = choice};
        outcome.whole.metrics = {{"sqnr_db", sqnrDb++}};
        view.outcomes.push_back(outcome);
    }
    return view;
}

/// What a document told of its changes since this was made.
class ToldChanges
{
public:
    explicit ToldChanges(const Document& document)
    {
        QObject::connect(&document, &Document::changed, &m_receiver,
                         [this](const DocumentChange& change) { all.push_back(change.parts); });
    }
    /// That concerned it, among other things.
    [[nodiscard]] std::ptrdiff_t of(DocumentChange::Part part) const
    {
        return std::ranges::count_if(
            all, [part](DocumentChange::Parts parts) { return parts.testFlag(part); });
    }

    std::vector<DocumentChange::Parts> all;

private:
    QObject m_receiver;
};

/// Of the candidate of that id on the selected tensor.
inline OutcomeRow rowOf(const Document& document, const std::string& id)
{
    for (const OutcomeRow& row : document.questions().rows())
        if (row.candidate.id == id)
            return row;
    FAIL("no row " << id);
    return {};
}

/// Id of the candidate that is called so on the selected tensor.
inline std::string idIn(const Document& document, const std::string& label)
{
    for (const OutcomeRow& row : document.questions().rows())
        if (row.candidate.label == label)
            return row.candidate.id;
    FAIL("nothing is called " << label);
    return {};
}

struct TestedDocument
{
    FakeEngine waited;
    FakeEngine background;
    Document document{waited, background};

    void openDump()
    {
        document.open("/somewhere/a.h5");
        FakeEngine::answer(waited.opens, someDump());
        document.select(a);
    }
    /// As openDump(), of largeDump(): the large tensor is selected.
    void openLargeDump()
    {
        document.open("/somewhere/large.h5");
        FakeEngine::answer(waited.opens, largeDump());
        document.select(0);
    }
    void answerView() { FakeEngine::answer(waited.views, viewFor(waited.views.front().request)); }
    OutcomeRow row(const std::string& id) const { return rowOf(document, id); }
    std::string idOf(const std::string& label) const { return idIn(document, label); }
};

}  // namespace calibscope::test
