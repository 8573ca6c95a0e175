// Pinned and excluded tensors in TensorModel.
#include "ui/models/tensor_model.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace calibscope {

bool TensorModel::isPinned(int index) const
{
    return std::ranges::binary_search(m_pins, index);
}

bool TensorModel::isExcluded(int index) const
{
    return m_excluded.at(static_cast<std::size_t>(index));
}

bool TensorModel::isInPins(const QModelIndex& index) const
{
    const QModelIndex group = index.parent().isValid() ? index.parent() : index;
    return group.isValid() && m_groups[static_cast<std::size_t>(group.row())].isPins;
}

void TensorModel::setPins(const std::vector<int>& pins)
{
    std::vector<int> removed;
    std::vector<int> added;
    std::ranges::set_difference(m_pins, pins, std::back_inserter(removed));
    std::ranges::set_difference(pins, m_pins, std::back_inserter(added));
    for (const int tensor : removed)
        removePin(tensor);
    for (const int tensor : added)
        insertPin(tensor);
    for (const std::vector<int>& changed : {removed, added})
        for (const int tensor : changed)
            tellChanged(tensor);
    if (hasPins() && !(removed.empty() && added.empty())) {
        const QModelIndex group = index(rowCount() - 1, 0);
        Q_EMIT dataChanged(group, group);  // its title counts
    }
}

void TensorModel::insertPin(int tensor)
{
    const auto place = std::ranges::lower_bound(m_pins, tensor) - m_pins.begin();
    const int row = static_cast<int>(place);
    if (!hasPins()) {
        beginInsertRows({}, rowCount(), rowCount());
        m_pins = {tensor};
        m_groups.push_back({.role = calibscope::Role::Unknown, .tensors = m_pins, .isPins = true});
    } else {
        beginInsertRows(index(rowCount() - 1, 0), row, row);
        m_pins.insert(m_pins.begin() + place, tensor);
        m_groups.back().tensors = m_pins;
    }
    endInsertRows();
}

void TensorModel::removePin(int tensor)
{
    const auto place = std::ranges::lower_bound(m_pins, tensor) - m_pins.begin();
    const int row = static_cast<int>(place);
    if (m_pins.size() == 1) {
        beginRemoveRows({}, rowCount() - 1, rowCount() - 1);
        m_pins.clear();
        m_groups.pop_back();
    } else {
        beginRemoveRows(index(rowCount() - 1, 0), row, row);
        m_pins.erase(m_pins.begin() + place);
        m_groups.back().tensors = m_pins;
    }
    endRemoveRows();
}

void TensorModel::setExcluded(const std::vector<int>& excluded)
{
    std::vector<bool> wanted(m_tensors.size(), false);
    for (const int tensor : excluded)
        wanted.at(static_cast<std::size_t>(tensor)) = true;
    std::vector<int> changed;
    for (int tensor = 0; tensor < tensorCount(); ++tensor)
        if (wanted[static_cast<std::size_t>(tensor)] != isExcluded(tensor))
            changed.push_back(tensor);
    m_excluded = std::move(wanted);
    for (const int tensor : changed)
        tellChanged(tensor);
}

void TensorModel::setDecided(std::map<int, QString> decided)
{
    std::vector<std::pair<int, QString>> differing;
    std::ranges::set_symmetric_difference(m_decided, decided, std::back_inserter(differing));
    m_decided = std::move(decided);
    for (const auto& [tensor, label] : differing)
        tellChanged(tensor);
}

}  // namespace calibscope
