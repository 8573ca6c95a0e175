#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace calibscope {

/// Something that happened and what can be done about it, above the page and in nobody's way.
class MessageBar : public QFrame
{
    Q_OBJECT

public:
    struct Remedy
    {
        QString text;  ///< of a button
        std::function<void()> apply;
    };

    explicit MessageBar(QWidget* parent = nullptr);

    /// Replaces what it says. A remedy closes the bar.
    void say(const QString& sentence, const std::vector<Remedy>& remedies = {});
    [[nodiscard]] QString sentence() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void colour();

    QLabel* m_text;
    QHBoxLayout* m_buttons;
};

}  // namespace calibscope
