// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/tensor_selection.h"

#include "core/base/error.h"
#include "core/base/glob.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace calibscope {

namespace {

std::string lowerCase(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

std::size_t commonPrefix(const std::string& a, const std::string& b)
{
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

bool isAlsoCalled(const TensorInfo& tensor, const std::string& nameOrPath)
{
    return std::ranges::any_of(tensor.otherPaths, [&](const std::string& path) {
        return path == nameOrPath || path.ends_with("/" + nameOrPath);
    });
}

/// What a path says that begins with "/"; h5py leaves that out.
bool isRelative(std::string_view whole, std::string_view path)
{
    return whole == path || (whole.starts_with('/') && whole.substr(1) == path);
}

std::vector<std::size_t> named(std::span<const TensorInfo> tensors, const std::string& pattern)
{
    std::vector<std::size_t> exact;
    std::vector<std::size_t> byPath;
    std::vector<std::size_t> matching;
    for (std::size_t index = 0; index < tensors.size(); ++index) {
        if (tensors[index].name == pattern || tensors[index].path == pattern ||
            std::ranges::count(tensors[index].parts, pattern) > 0)
            exact.push_back(index);
        if (isPathOf(tensors[index], pattern))
            byPath.push_back(index);
        if (matchesGlob(tensors[index].name, pattern))
            matching.push_back(index);
    }
    for (const auto& found : {exact, byPath, matching})
        if (!found.empty())
            return found;
    return alsoCalled(tensors, pattern);
}

}  // namespace

bool isPathOf(const TensorInfo& tensor, std::string_view path)
{
    return isRelative(tensor.path, path) ||
           std::ranges::any_of(tensor.parts,
                               [&](const std::string& part) { return isRelative(part, path); });
}

std::vector<std::size_t> alsoCalled(std::span<const TensorInfo> tensors,
                                    const std::string& nameOrPath)
{
    std::vector<std::size_t> found;
    for (std::size_t index = 0; index < tensors.size(); ++index)
        if (isAlsoCalled(tensors[index], nameOrPath))
            found.push_back(index);
    return found;
}

std::string namesLike(std::span<const TensorInfo> tensors, const std::string& text)
{
    const std::string wanted = lowerCase(text);
    std::vector<std::pair<std::size_t, std::string>> candidates;  // likeness, name
    for (const TensorInfo& tensor : tensors) {
        const std::string name = lowerCase(tensor.name);
        const bool holds = !wanted.empty() && name.find(wanted) != std::string::npos;
        const std::size_t likeness = holds ? wanted.size() + 1 : commonPrefix(name, wanted);
        if (likeness > 0)
            candidates.emplace_back(likeness, tensor.name);
    }
    std::ranges::stable_sort(candidates, std::greater{}, &decltype(candidates)::value_type::first);
    std::string list;
    for (std::size_t index = 0; index < std::min<std::size_t>(candidates.size(), 5); ++index)
        list += (list.empty() ? "" : ", ") + candidates[index].second;
    return list;
}

std::vector<std::size_t> selectTensors(std::span<const TensorInfo> tensors,
                                       std::span<const std::string> patterns,
                                       std::optional<Role> role)
{
    std::set<std::size_t> selected;
    for (std::size_t index = 0; patterns.empty() && index < tensors.size(); ++index)
        selected.insert(index);
    for (const std::string& pattern : patterns) {
        const std::vector<std::size_t> found = named(tensors, pattern);
        if (found.empty()) {
            const std::string like = namesLike(tensors, pattern);
            throw Error(Fault::Input,
                        "there is no tensor " + pattern +
                            (like.empty() ? std::string() : "; similar names: " + like));
        }
        selected.insert(found.begin(), found.end());
    }
    if (role)
        std::erase_if(selected, [&](std::size_t index) { return tensors[index].role != *role; });
    return {selected.begin(), selected.end()};
}

}  // namespace calibscope
