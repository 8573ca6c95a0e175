// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dump/doubt_names.h"

#include "core/dump/layouts/operator_names.h"
#include "core/dump/layouts/path_words.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>

namespace calibscope {

namespace {

constexpr std::size_t mostMissing = 64;  // that are compared with all names
constexpr std::size_t mostNotes = 20;

bool isLetter(char one)
{
    return std::isalpha(static_cast<unsigned char>(one)) != 0;
}

/// Whether a letter that stands between letters is another one.
bool isOffWithinWord(std::string_view name, std::string_view other)
{
    if (!layouts::isOneLetterOff(name, other))
        return false;
    std::size_t at = 0;
    while (std::tolower(static_cast<unsigned char>(name[at])) ==
           std::tolower(static_cast<unsigned char>(other[at])))
        ++at;
    return at > 0 && at + 1 < name.size() && isLetter(name[at - 1]) && isLetter(name[at + 1]) &&
           isLetter(other[at]);
}

std::string sentenceOf(std::string_view meant)
{
    return "its name is one letter off \"" + std::string(meant) +
           "\": check whether the file is damaged";
}

std::string groupOf(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

class NameDoubts
{
public:
    explicit NameDoubts(std::span<Understood> tensors) : m_tensors(tensors) {}

    std::vector<std::string> run()
    {
        for (Understood& tensor : m_tensors)
            doubtWords(tensor.info);
        doubtInputs();
        return std::move(m_warnings);
    }

private:
    void warn(std::string sentence)
    {
        if (m_warnings.size() < mostNotes)
            m_warnings.push_back(std::move(sentence));
    }

    void doubtWords(TensorInfo& info)
    {
        if (const std::string& ofGroup = doubtOfGroup(groupOf(info.path)); !ofGroup.empty())
            info.doubts.push_back("of its group " + ofGroup);
        const std::string_view meant = layouts::roleWordMeant(layouts::leafWord(info.path));
        if (meant.empty())
            return;
        info.doubts.push_back(sentenceOf(meant));
        warn(info.path + ": " + info.doubts.back());
    }

    /// "PATH: sentence" of the group or one above it, or nothing.
    const std::string& doubtOfGroup(const std::string& path)
    {
        const auto [known, isNew] = m_groups.try_emplace(path);
        if (!isNew || path.empty())
            return known->second;
        const std::string above = doubtOfGroup(groupOf(path));
        const std::string_view meant =
            layouts::roleWordMeant(std::string_view(path).substr(path.rfind('/') + 1));
        if (!meant.empty()) {
            known->second = path + ": " + sentenceOf(meant);
            warn(known->second);
        } else {
            known->second = above;
        }
        return known->second;
    }

    void doubtInputs()
    {
        std::unordered_set<std::string_view> fed;
        for (const Understood& tensor : m_tensors)
            fed.insert(tensor.info.inputs.begin(), tensor.info.inputs.end());
        if (fed.empty())
            return;
        std::unordered_set<std::string_view> called;
        for (const Understood& tensor : m_tensors)
            for (const std::string* name :
                 {&tensor.info.name, &tensor.info.path, &tensor.info.graphName, &tensor.info.node})
                called.insert(*name);
        std::set<std::string_view> missing;
        for (const std::string_view input : fed)
            if (!called.contains(input))
                missing.insert(input);
        if (missing.size() > mostMissing)
            return;
        for (Understood& tensor : m_tensors)
            doubtInput(tensor.info, missing, fed);
    }

    void doubtInput(TensorInfo& info, const std::set<std::string_view>& missing,
                    const std::unordered_set<std::string_view>& fed)
    {
        if (fed.contains(info.name) || fed.contains(info.graphName) || fed.contains(info.path))
            return;
        const auto meant = std::ranges::find_if(
            missing, [&](std::string_view input) { return isOffWithinWord(info.name, input); });
        if (meant == missing.end())
            return;
        info.doubts.push_back("its name is one letter off \"" + std::string(*meant) +
                              "\", an input that no tensor is called: check whether the file is "
                              "damaged");
        warn(info.path + ": " + info.doubts.back());
    }

    std::span<Understood> m_tensors;
    std::map<std::string, std::string> m_groups;
    std::vector<std::string> m_warnings;
};

}  // namespace

std::vector<std::string> doubtNames(std::span<Understood> tensors)
{
    return NameDoubts(tensors).run();
}

}  // namespace calibscope
