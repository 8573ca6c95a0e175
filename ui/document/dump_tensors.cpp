// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/dump_tensors.h"

#include "core/base/error.h"

#include <string>
#include <utility>

namespace calibscope {

void DumpTensors::setRecorded(std::vector<TensorInfo> tensors)
{
    std::map<std::string, Said> before;
    for (auto& [tensor, said] : m_said)
        before.emplace(said.recorded.path, said);
    m_said.clear();
    m_tensors = std::move(tensors);
    for (int tensor = 0; !before.empty() && tensor < std::ssize(m_tensors); ++tensor)
        if (const auto found = before.find(at(tensor).path); found != before.end())
            (void)say(tensor, found->second.words);
}

void DumpTensors::clear()
{
    m_tensors.clear();
    m_said.clear();
}

const TensorInfo& DumpTensors::at(int tensor) const
{
    return m_tensors.at(static_cast<std::size_t>(tensor));
}

const TensorInfo& DumpTensors::recorded(int tensor) const
{
    const auto found = m_said.find(tensor);
    return found == m_said.end() ? at(tensor) : found->second.recorded;
}

LayoutOverride DumpTensors::layoutOverride(int tensor) const
{
    const auto found = m_said.find(tensor);
    return found == m_said.end() ? LayoutOverride{} : found->second.words.layoutOverride;
}

std::vector<int> DumpTensors::edited() const
{
    std::vector<int> tensors;
    for (const auto& [tensor, said] : m_said)
        if (!said.words.layoutOverride.isEmpty())
            tensors.push_back(tensor);
    return tensors;
}

bool DumpTensors::isConfirmed(int tensor) const
{
    const auto found = m_said.find(tensor);
    return found != m_said.end() && found->second.words.isConfirmed;
}

std::vector<int> DumpTensors::like(int tensor) const
{
    std::vector<int> alike;
    const TensorInfo& model = recorded(tensor);
    for (int other = 0; other < std::ssize(m_tensors); ++other)
        if (other == tensor || isLike(model, recorded(other)))
            alike.push_back(other);
    return alike;
}

std::vector<int> DumpTensors::understand(const std::vector<int>& tensors,
                                         const LayoutOverride& layoutOverride)
{
    std::vector<int> changed;
    for (const int tensor : tensors)
        if (say(tensor, {.layoutOverride = layoutOverride}))
            changed.push_back(tensor);
    return changed;
}

std::vector<int> DumpTensors::confirm(const std::vector<int>& tensors)
{
    std::vector<int> changed;
    for (const int tensor : tensors)
        if (at(tensor).isGuess && say(tensor, {.layoutOverride = {}, .isConfirmed = true}))
            changed.push_back(tensor);
    return changed;
}

bool DumpTensors::allows(int tensor, const LayoutOverride& layoutOverride) const
{
    try {
        (void)understoodAs(recorded(tensor), layoutOverride);
        return true;
    } catch (const Error&) {
        return false;
    }
}

DumpTensors::Changed DumpTensors::saySolely(const QMap<std::string, TensorSaid>& said)
{
    Changed changed;
    for (int tensor = 0; tensor < std::ssize(m_tensors); ++tensor) {
        const LayoutOverride before = layoutOverride(tensor);
        if (say(tensor, said.value(at(tensor).path)))
            (layoutOverride(tensor) == before ? changed.confirmed : changed.anew).push_back(tensor);
    }
    return changed;
}

bool DumpTensors::say(int tensor, const TensorSaid& words)
{
    const auto known = m_said.find(tensor);
    if (words == TensorSaid{}) {
        if (known == m_said.end())
            return false;
        m_tensors[static_cast<std::size_t>(tensor)] = std::move(known->second.recorded);
        m_said.erase(known);
        return true;
    }
    if (known != m_said.end() && known->second.words == words)
        return false;
    Said said{.recorded = recorded(tensor), .words = words};
    try {
        TensorInfo understood = understoodAs(said.recorded, words.layoutOverride);
        understood.isGuess = false;
        m_tensors[static_cast<std::size_t>(tensor)] = std::move(understood);
    } catch (const Error&) {
        return false;  // one of many: it has no such axis or type
    }
    m_said.insert_or_assign(tensor, std::move(said));
    return true;
}

}  // namespace calibscope
