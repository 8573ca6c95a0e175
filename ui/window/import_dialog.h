// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"

#include <QDialog>
#include <QString>

#include <string>
#include <vector>

namespace calibscope {

/// What a file of another tool says, and what is odd about it, before its ranges are taken.
class ImportDialog : public QDialog
{
    Q_OBJECT

public:
    /// `tensors`: names by place in the request; `usable`: how many ranges can be taken.
    ImportDialog(const QString& file, const protocol::ImportedFile& imported,
                 const std::vector<std::string>& tensors, int usable, QWidget* parent = nullptr);
};

}  // namespace calibscope
