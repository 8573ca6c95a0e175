// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/html/tensor_snippets.h"

#include "core/report/python/python_snippet.h"

#include <algorithm>

namespace calibscope::report {

namespace {

void addSnippet(std::vector<Snippet>& list, const std::string& title, const SnippetRequest& request)
{
    PythonSnippet snippet = pythonSnippet(request);
    if (snippet.problem.empty())
        list.push_back({.title = title, .code = std::move(snippet.text)});
}

/// Whether all tensors that the range comes from are among `tensors`; they are added then.
bool addRangeTensors(SnippetRequest& request, std::span<const TensorInfo> tensors)
{
    for (const RangeSource& source : request.choice.rangeFrom) {
        const auto found = std::ranges::find(tensors, source.path, &TensorInfo::path);
        if (found == tensors.end())
            return false;
        request.rangeTensors.push_back(*found);
    }
    return true;
}

}  // namespace

std::vector<Snippet> tensorSnippets(const ReportedTensor& part, const std::string& file,
                                    std::span<const TensorInfo> tensors)
{
    std::vector<Snippet> list;
    const SnippetRequest plain{.file = file, .tensor = part.profile.info};
    SnippetRequest request = plain;
    request.subject = SnippetSubject::Statistics;
    addSnippet(list, "Statistics", request);
    if (!part.profile.histograms.empty()) {
        request.subject = SnippetSubject::Histogram;
        request.histogram = part.profile.histograms.front().spec;
        addSnippet(list, "Histogram", request);
    }
    for (const Result& result : part.results) {
        if (!result.outcome.problem.empty())
            continue;
        request = plain;
        request.choice = result.outcome.choice;
        if (!addRangeTensors(request, tensors))
            continue;
        request.subject = SnippetSubject::Scale;
        addSnippet(list, "Scale of " + result.label, request);
        request.subject = SnippetSubject::Metrics;
        addSnippet(list, "Metrics of " + result.label, request);
        request.subject = SnippetSubject::Curve;
        addSnippet(list, "Curve of " + result.label, request);
    }
    return list;
}

}  // namespace calibscope::report
