#pragma once

#include "ui/document/message_log.h"

#include <QWidget>

class QTreeView;

namespace calibscope {

/// The messages as a list that follows the newest, with buttons to copy and to clear it.
class MessageList : public QWidget
{
    Q_OBJECT

public:
    explicit MessageList(MessageLog& log, QWidget* parent = nullptr);

private:
    void copy() const;  ///< the selected rows; without a selection all

    MessageLog& m_log;
    QTreeView* m_list;
};

}  // namespace calibscope
