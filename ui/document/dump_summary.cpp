// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/dump_summary.h"

#include "ui/document/tensor_text.h"
#include "ui/theme/translate.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace calibscope {

namespace {

/// Shares by what they have in common.
class Shares
{
public:
    void add(const std::string& key, const TensorInfo& tensor, auto makeTitle, auto makeQuery)
    {
        const auto [found, isNew] = m_places.try_emplace(key, m_shares.size());
        if (isNew)
            m_shares.push_back({.title = makeTitle(), .query = makeQuery()});
        TensorShare& share = m_shares[found->second];
        ++share.tensors;
        share.values += tensor.valueCount();
        share.guesses += tensor.isGuess ? 1 : 0;
    }
    std::vector<TensorShare> byValues() &&
    {
        std::ranges::stable_sort(m_shares, std::ranges::greater{}, &TensorShare::values);
        return std::move(m_shares);
    }

private:
    std::unordered_map<std::string, std::size_t> m_places;
    std::vector<TensorShare> m_shares;
};

QString queryOf(const char* key, const std::string& word)
{
    const QString text = QString::fromStdString(word);
    return text.isEmpty() ? QString() : QStringLiteral("%1:%2").arg(QLatin1String(key), text);
}

QString storageTitle(const TensorInfo& tensor)
{
    const bool isPlain = tensor.compression.empty() || tensor.compression == "none";
    const QString compression =
        isPlain ? tr("not compressed") : QString::fromStdString(tensor.compression);
    return tensor.checksum.empty() || tensor.checksum == "none"
               ? compression
               : tr("%1, checksum %2").arg(compression, QString::fromStdString(tensor.checksum));
}

std::vector<TensorShare> rolesOf(const std::vector<TensorInfo>& tensors)
{
    std::vector<TensorShare> roles;
    for (const Role role : {Role::Activation, Role::Weight, Role::Bias, Role::Unknown}) {
        TensorShare share{
            .title = role == Role::Activation ? tr("activations")
                     : role == Role::Weight   ? tr("weights")
                     : role == Role::Bias     ? tr("biases")
                                              : tr("unknown role"),
            .query = queryOf("role", std::string(roleText(role))),
        };
        for (const TensorInfo& tensor : tensors)
            if (tensor.role == role) {
                ++share.tensors;
                share.values += tensor.valueCount();
            }
        if (share.tensors > 0)
            roles.push_back(share);
    }
    return roles;
}

void addUnreadable(std::vector<UnreadableTensors>& groups,
                   std::unordered_map<std::string, std::size_t>& places, const TensorInfo& tensor,
                   int place)
{
    const auto [found, isNew] = places.try_emplace(tensor.unreadable.sentence, groups.size());
    if (isNew)
        groups.push_back(
            {.reason = QString::fromStdString(tensor.unreadable.sentence), .tensors = {}});
    groups[found->second].tensors.push_back(place);
}

}  // namespace

bool needsOtherFiles(const TensorInfo& tensor)
{
    return tensor.unreadable.reason == Unreadable::Reason::OtherFile;
}

DumpSummary summarise(const std::vector<TensorInfo>& tensors)
{
    DumpSummary summary{.tensors = tensors.size(), .roles = rolesOf(tensors)};
    Shares types;
    Shares storages;
    Shares rules;
    std::unordered_map<std::string, std::size_t> reasons;
    for (int place = 0; place < std::ssize(tensors); ++place) {
        const TensorInfo& tensor = tensors[static_cast<std::size_t>(place)];
        summary.values += tensor.valueCount();
        summary.guesses += tensor.isGuess ? 1 : 0;
        if (tensor.isGuess && summary.firstGuess < 0)
            summary.firstGuess = place;
        if (summary.firstNeedingOtherFiles < 0 && needsOtherFiles(tensor))
            summary.firstNeedingOtherFiles = place;
        if (!tensor.isReadable())
            addUnreadable(summary.unreadable, reasons, tensor, place);
        if (!elementText(tensor).empty())  // what can't be reached has none
            types.add(
                elementText(tensor) + '\n' + storedTypeText(tensor), tensor,
                [&] { return typeLabel(tensor); },
                [&] { return queryOf("type", elementText(tensor)); });
        storages.add(
            tensor.compression + '\n' + tensor.checksum, tensor,
            [&] { return storageTitle(tensor); }, [] { return QString(); });
        rules.add(
            tensor.layoutRule, tensor, [&] { return QString::fromStdString(tensor.layoutRule); },
            [&] { return queryOf("rule", tensor.layoutRule); });
    }
    summary.types = std::move(types).byValues();
    summary.storages = std::move(storages).byValues();
    summary.rules = std::move(rules).byValues();
    return summary;
}

std::vector<int> worstTensors(const std::map<int, protocol::Preview>& previews, std::size_t most)
{
    std::vector<std::pair<double, int>> bySqnr;
    for (const auto& [tensor, preview] : previews)
        if (preview.sqnrDb)
            bySqnr.emplace_back(*preview.sqnrDb, tensor);
    const std::size_t count = std::min(most, bySqnr.size());
    std::ranges::partial_sort(bySqnr, bySqnr.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<int> worst;
    for (std::size_t rank = 0; rank < count; ++rank)
        worst.push_back(bySqnr[rank].second);
    return worst;
}

}  // namespace calibscope
