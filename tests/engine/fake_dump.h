// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/error.h"
#include "core/engine/engine_parts.h"
#include "tests/support/once.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

namespace calibscope::test {

/// Dumps without files. Tensor 0 holds 1, -2, 3, 0. Tensor 1 can't be read. Tensor 2 gives blocks
/// until it is cancelled; tensor 3 hangs in its first block until `release`.
struct FakeDumps
{
    std::atomic<int> opens = 0;
    std::atomic<int> passes = 0;
    Once release;
    std::string modified = "then";

    [[nodiscard]] engine::EngineParts parts()
    {
        return {
            .identify = [this](const std::string& path,
                               std::span<const std::string>) { return identity(path); },
            .open = [this](const std::string& path, bool, const Progress&) { return open(path); },
            .analyse = [](const ValueSource&, TensorProfile& profile,
                          std::span<const Choice> choices, const AnalyseOptions&,
                          const Progress&) { return outcomes(profile, choices); }};
    }

    [[nodiscard]] FileIdentity identity(const std::string& path) const
    {
        if (path == "missing.h5")
            throw Error(Fault::Input, path + ": no such file");
        return {.path = path, .bytes = 16, .modified = modified};
    }

    [[nodiscard]] std::shared_ptr<const engine::OpenDump> open(const std::string& path)
    {
        ++opens;
        engine::OpenDump dump{.identity = identity(path), .attributes = {{"model", "fake"}}};
        for (const char* name : {"few", "unreadable", "endless", "hanging"})
            dump.tensors.push_back(
                {.name = name, .elementType = ElementKind::Float32, .shape = {4}});
        dump.source = [this, tensors = dump.tensors](const TensorInfo& understood, std::uint64_t) {
            const auto found = std::ranges::find(tensors, understood.name, &TensorInfo::name);
            const auto tensor = static_cast<std::size_t>(found - tensors.begin());
            return ValueSource{
                .info = understood,
                .visit = [this, tensor](const BlockVisitor& visit, const Progress& progress) {
                    ++passes;
                    visitTensor(tensor, visit, progress);
                }};
        };
        return std::make_shared<const engine::OpenDump>(std::move(dump));
    }

private:
    void visitTensor(std::size_t tensor, const BlockVisitor& visit, const Progress& progress)
    {
        const std::vector<float> values{1.0F, -2.0F, 3.0F, 0.0F};
        if (tensor == 1)
            throw Error(Fault::Input, "fake: unreadable: its filter is missing");
        if (tensor == 3)
            release.wait();
        visit({.values = values, .firstIndex = 0, .batch = 0});
        progress.step(4, 4, "values");
        std::uint64_t step = 0;
        while (tensor == 2)
            progress.step(++step, 0, "values");
    }

    static std::vector<Outcome> outcomes(const TensorProfile& profile,
                                         std::span<const Choice> choices)
    {
        std::vector<Outcome> list;
        for (const Choice& choice : choices) {
            Outcome outcome{.tensor = profile.info.name, .choice = choice};
            outcome.whole.metrics = {{"sqnr_db", 41.5}};
            outcome.whole.notes = {"a note"};
            list.push_back(std::move(outcome));
        }
        return list;
    }
};

}  // namespace calibscope::test
