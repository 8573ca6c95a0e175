// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstdint>
#include <optional>

class QLabel;
class QSlider;

namespace calibscope {

/// Chooses how many of a tensor's batches are looked at, from the first on. The slider's keys:
/// arrows one batch, Page Up and Down a tenth, Home the first, End all.
class BatchScrubber : public QWidget
{
    Q_OBJECT

public:
    explicit BatchScrubber(QWidget* parent = nullptr);

    /// Of so many; nothing: all of them. Emits nothing.
    void setBatches(std::uint64_t count, std::optional<std::uint64_t> shown);

Q_SIGNALS:
    /// Nothing: all. `isFinal`: the slider was let go, or moved by a key.
    void chosen(std::optional<quint64> batches, bool isFinal);

private:
    void report(bool isFinal);
    void showText();

    QSlider* m_slider;
    QLabel* m_text;
};

}  // namespace calibscope
