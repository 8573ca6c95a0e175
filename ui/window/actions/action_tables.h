#pragma once

#include "ui/window/actions/action_spec.h"

// The parts of actionTable(), a file for each menu of the menu bar.
namespace calibscope {

[[nodiscard]] std::span<const ActionSpec> fileActions();
[[nodiscard]] std::span<const ActionSpec> editActions();
[[nodiscard]] std::span<const ActionSpec> viewActions();
[[nodiscard]] std::span<const ActionSpec> tensorActions();
[[nodiscard]] std::span<const ActionSpec> calibratorActions();
[[nodiscard]] std::span<const ActionSpec> compareActions();
[[nodiscard]] std::span<const ActionSpec> helpActions();

}  // namespace calibscope
