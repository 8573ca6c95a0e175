// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/comparison.h"

class QWidget;

namespace calibscope {

/// Asks which tensor belongs to the one that is looked at, and matches them manually. Those without
/// a counterpart come first. Nothing happens while no tensor is looked at.
void askForMatch(Comparison& comparison, QWidget* parent);

}  // namespace calibscope
