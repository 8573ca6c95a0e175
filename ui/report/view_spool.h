#pragma once

#include "core/protocol/messages.h"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace calibscope {

/// Keeps engine's answers in files: those of all tensors could fill the memory, and asking for them
/// again takes as long as the first time.
class ViewSpool
{
public:
    /// Makes the folder, beside what is being written. Throws Error(Output).
    explicit ViewSpool(std::filesystem::path folder);

    /// Without its sketch, which no report shows. Throws Error(Output).
    void put(std::size_t place, protocol::TensorView view) const;
    /// Nothing where nothing was put.
    [[nodiscard]] std::optional<protocol::TensorView> take(std::size_t place) const;
    /// Removes the folder.
    void clear() const;

private:
    [[nodiscard]] std::filesystem::path fileOf(std::size_t place) const;

    std::filesystem::path m_folder;
};

}  // namespace calibscope
