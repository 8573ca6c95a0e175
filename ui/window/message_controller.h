// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/message_log.h"
#include "ui/widgets/message_bar.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace calibscope {

/// Tells what happens: in the log, and in the bar above the page what the user should see at once.
class MessageController : public QObject
{
    Q_OBJECT

public:
    /// The bar belongs to `window`, which gives it a place. The document must outlive this.
    MessageController(Document& document, QWidget& window);

    [[nodiscard]] MessageLog& log() { return m_log; }
    [[nodiscard]] MessageBar& bar() const { return *m_bar; }
    /// In the bar, in place of what it said; a success in the log, too.
    void say(const QString& sentence, const std::vector<MessageBar::Remedy>& remedies = {},
             MessageBar::Kind kind = MessageBar::Kind::Warning);
    /// The same about the selected tensor: gone with the next one, or for another sentence.
    void sayOfTensor(const QString& sentence, const std::vector<MessageBar::Remedy>& remedies);
    /// The sentence is about the decisions as they are now: gone with their next change.
    void ofDecisions() { m_decisions = m_document.workbench().decisions; }
    void hide();

private:
    enum class About { Any, Engine, Tensor };

    void logDumpState();
    void followReader();
    void followSweep();
    void sayOfEngine(const QString& sentence, const std::vector<MessageBar::Remedy>& remedies,
                     MessageBar::Kind kind);

    Document& m_document;
    MessageLog m_log;
    MessageBar* m_bar;
    QElapsedTimer m_sweeping;    ///< since it was started; invalid: none is
    About m_about = About::Any;  ///< what the bar says
    std::optional<decltype(Workbench::decisions)> m_decisions;  ///< that it is about
};

}  // namespace calibscope
