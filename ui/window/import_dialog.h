// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"

#include <QDialog>
#include <QString>

#include <string>
#include <vector>

namespace calibscope {

/// Contents of another tool's file, with findings, before its ranges are taken.
class ImportDialog : public QDialog
{
    Q_OBJECT

public:
    /// `tensors`: names by place in the request; `usable`: how many ranges can be taken.
    ImportDialog(const QString& file, const protocol::ImportedFile& imported,
                 const std::vector<std::string>& tensors, int usable, QWidget* parent = nullptr);
};

}  // namespace calibscope
