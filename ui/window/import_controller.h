// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "ui/document/document.h"
#include "ui/queries/engine_request.h"

#include <QDialog>
#include <QMap>
#include <QObject>
#include <QString>

#include <functional>
#include <string>
#include <vector>

namespace calibscope {

class MessageController;

/// Contents of another tool's file, with findings, before its ranges are taken.
class ImportDialog : public QDialog
{
    Q_OBJECT

public:
    /// `tensors`: names by place in the request; `usable`: how many ranges can be taken.
    ImportDialog(const QString& file, const protocol::ImportedFile& imported,
                 const std::vector<std::string>& tensors, int usable, QWidget* parent = nullptr);
};

/// Brings scales of other tools' files to the tensors of the open dump: the engine reads and lints
/// them, a dialog shows what it found, and the user takes them as references or not.
class ImportController : public QObject
{
    Q_OBJECT

public:
    /// Where the recorded model is, whose names files have; empty: not known.
    using ModelOf = std::function<QString()>;

    /// All must outlive this.
    ImportController(Document& document, Engine& background, MessageController& messages,
                     ModelOf model, QWidget& window);

    void askForFile();
    /// A file of the machine on which the dump lies; another one is refused with a sentence.
    void open(const QString& path);
    /// A file that is dropped while a dump is open: by the ends that such files have.
    [[nodiscard]] static bool takes(const QString& path);

Q_SIGNALS:
    /// The dump lies on another machine, whose engine reads files of that machine only: one of them
    /// is to be chosen for open().
    void fileThereWanted();

private:
    void take(const QString& path, const Answer<protocol::ImportedFile>& answer);
    void show(const QString& path, const QMap<std::string, ImportedRange>& ranges);

    Document& m_document;
    Engine& m_background;
    MessageController& m_messages;
    ModelOf m_model;
    QWidget& m_window;
    EngineRequest m_request;
};

/// The ranges that can be drawn beside the tensors of a dump: one for the tensor, or one for each
/// of its channels, in a file's entry without a scale of no use. By the tensors' paths; `paths` by
/// place in the request.
[[nodiscard]] QMap<std::string, ImportedRange> usableRanges(const protocol::ImportedFile& imported,
                                                            const QString& file,
                                                            const std::vector<std::string>& paths);

}  // namespace calibscope
