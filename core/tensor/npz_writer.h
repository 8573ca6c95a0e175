// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace calibscope {

/// A shape as a tuple of Python: "(2, 3)", "(7,)", "()".
[[nodiscard]] std::string shapeLiteral(std::span<const std::uint64_t> shape);

/// The text of a file of NumPy's format, version 1.0, in C order. Requires elements that fit descr
/// and shape.
[[nodiscard]] std::string npyText(std::string_view descr, std::span<const std::uint64_t> shape,
                                  std::string_view elements);

/// Writes arrays of one dimension as an archive of NumPy's, .npz, stored as they are. The same
/// arrays give the same bytes: members have no time of their own (zip's first one, 1980).
class NpzWriter
{
public:
    explicit NpzWriter(std::function<void(std::string_view)> sink) : m_sink(std::move(sink)) {}

    /// Names differ, in UTF-8. Each throws Error(Output) where the archive would take 4 GiB or
    /// 65535 members, which its format has no numbers for.
    void add(const std::string& name, std::span<const double> values);
    /// As int64, or uint64 where one takes that.
    void add(const std::string& name, std::span<const std::uint64_t> values);
    /// As texts of the longest one's length, padded with zeros. Bytes that are not UTF-8 become
    /// U+FFFD.
    void add(const std::string& name, std::span<const std::string> texts);
    /// Ends the archive; to be called once.
    void finish();

private:
    void addMember(const std::string& name, const std::string& npy);
    void write(std::string_view bytes);

    std::function<void(std::string_view)> m_sink;
    std::string m_list;
    std::uint64_t m_written = 0;
    std::uint64_t m_members = 0;
};

}  // namespace calibscope
