#include "ui/document/understood_tensors.h"

#include "core/base/error.h"

#include <string>
#include <utility>

namespace calibscope {

void UnderstoodTensors::setRecorded(std::vector<TensorInfo> tensors)
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

void UnderstoodTensors::clear()
{
    m_tensors.clear();
    m_said.clear();
}

const TensorInfo& UnderstoodTensors::at(int tensor) const
{
    return m_tensors.at(static_cast<std::size_t>(tensor));
}

const TensorInfo& UnderstoodTensors::recorded(int tensor) const
{
    const auto found = m_said.find(tensor);
    return found == m_said.end() ? at(tensor) : found->second.recorded;
}

Understanding UnderstoodTensors::understanding(int tensor) const
{
    const auto found = m_said.find(tensor);
    return found == m_said.end() ? Understanding{} : found->second.words.understanding;
}

std::vector<int> UnderstoodTensors::edited() const
{
    std::vector<int> tensors;
    for (const auto& [tensor, said] : m_said)
        if (!said.words.understanding.isEmpty())
            tensors.push_back(tensor);
    return tensors;
}

bool UnderstoodTensors::isConfirmed(int tensor) const
{
    const auto found = m_said.find(tensor);
    return found != m_said.end() && found->second.words.isConfirmed;
}

std::vector<int> UnderstoodTensors::like(int tensor) const
{
    std::vector<int> alike;
    const TensorInfo& model = recorded(tensor);
    for (int other = 0; other < std::ssize(m_tensors); ++other)
        if (other == tensor || isLike(model, recorded(other)))
            alike.push_back(other);
    return alike;
}

std::vector<int> UnderstoodTensors::understand(const std::vector<int>& tensors,
                                               const Understanding& understanding)
{
    std::vector<int> changed;
    for (const int tensor : tensors)
        if (say(tensor, {.understanding = understanding}))
            changed.push_back(tensor);
    return changed;
}

std::vector<int> UnderstoodTensors::confirm(const std::vector<int>& tensors)
{
    std::vector<int> changed;
    for (const int tensor : tensors)
        if (at(tensor).isGuess && say(tensor, {.understanding = {}, .isConfirmed = true}))
            changed.push_back(tensor);
    return changed;
}

bool UnderstoodTensors::allows(int tensor, const Understanding& understanding) const
{
    try {
        (void)understoodAs(recorded(tensor), understanding);
        return true;
    } catch (const Error&) {
        return false;
    }
}

UnderstoodTensors::Changed UnderstoodTensors::saySolely(const QMap<std::string, TensorSaid>& said)
{
    Changed changed;
    for (int tensor = 0; tensor < std::ssize(m_tensors); ++tensor) {
        const Understanding before = understanding(tensor);
        if (say(tensor, said.value(at(tensor).path)))
            (understanding(tensor) == before ? changed.confirmed : changed.anew).push_back(tensor);
    }
    return changed;
}

bool UnderstoodTensors::say(int tensor, const TensorSaid& words)
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
        TensorInfo understood = understoodAs(said.recorded, words.understanding);
        understood.isGuess = false;
        m_tensors[static_cast<std::size_t>(tensor)] = std::move(understood);
    } catch (const Error&) {
        return false;  // one of many: it has no such axis or type
    }
    m_said.insert_or_assign(tensor, std::move(said));
    return true;
}

}  // namespace calibscope
