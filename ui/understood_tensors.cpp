#include "ui/understood_tensors.h"

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
            (void)say(tensor, found->second.understanding, found->second.isConfirmed);
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
    return found == m_said.end() ? Understanding{} : found->second.understanding;
}

std::vector<int> UnderstoodTensors::edited() const
{
    std::vector<int> tensors;
    for (const auto& [tensor, said] : m_said)
        if (!said.understanding.isEmpty())
            tensors.push_back(tensor);
    return tensors;
}

bool UnderstoodTensors::isConfirmed(int tensor) const
{
    const auto found = m_said.find(tensor);
    return found != m_said.end() && found->second.isConfirmed;
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
        if (say(tensor, understanding, false))
            changed.push_back(tensor);
    return changed;
}

std::vector<int> UnderstoodTensors::confirm(const std::vector<int>& tensors)
{
    std::vector<int> changed;
    for (const int tensor : tensors)
        if (at(tensor).isGuess && say(tensor, {}, true))
            changed.push_back(tensor);
    return changed;
}

bool UnderstoodTensors::say(int tensor, const Understanding& understanding, bool isConfirmed)
{
    const auto known = m_said.find(tensor);
    if (understanding.isEmpty() && !isConfirmed) {
        if (known == m_said.end())
            return false;
        m_tensors[static_cast<std::size_t>(tensor)] = std::move(known->second.recorded);
        m_said.erase(known);
        return true;
    }
    if (known != m_said.end() && known->second.understanding == understanding &&
        known->second.isConfirmed == isConfirmed)
        return false;
    Said said{
        .recorded = recorded(tensor), .understanding = understanding, .isConfirmed = isConfirmed};
    try {
        TensorInfo understood = understoodAs(said.recorded, understanding);
        understood.isGuess = false;
        m_tensors[static_cast<std::size_t>(tensor)] = std::move(understood);
    } catch (const Error&) {
        return false;  // one of many: it has no such axis or type
    }
    m_said.insert_or_assign(tensor, std::move(said));
    return true;
}

}  // namespace calibscope
