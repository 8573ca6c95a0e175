// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/output.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace calibscope {

namespace {

/// "; ≈ 12.3 MB are free there"; nothing where that can't be determined.
std::string freeSpaceText(const std::string& folder)
{
    constexpr std::array units = {"bytes", "kB", "MB", "GB", "TB"};
    std::error_code error;
    const std::filesystem::space_info space = std::filesystem::space(folder, error);
    if (error)
        return {};
    auto amount = static_cast<double>(space.available);
    std::size_t unit = 0;
    for (; amount >= 1000.0 && unit + 1 < units.size(); ++unit)
        amount /= 1000.0;
    return fmt::format("; ≈ {:.3g} {} are free there", amount, units[unit]);
}

}  // namespace

Output::Output(const std::string& path, WholeFileOptions options) : m_path(path)
{
    if (path.empty()) {
        m_stream = stdout;
        return;
    }
    std::error_code ignored;
    const bool exists = std::filesystem::exists(path, ignored);
    if (exists && std::filesystem::is_directory(path, ignored))
        fail(EISDIR);
    if (exists && !std::filesystem::is_regular_file(path, ignored)) {
        m_stream = std::fopen(path.c_str(), "we");
        if (m_stream == nullptr)
            fail(errno);
        return;
    }
    m_folder = std::filesystem::weakly_canonical(path, ignored).parent_path().string();
    try {
        m_file.emplace(path, options);
    } catch (const std::system_error& error) {
        fail(error.code().value());
    }
}

Output::~Output()
{
    if (m_stream != nullptr && m_stream != stdout)
        static_cast<void>(std::fclose(m_stream));  // nobody asked for what was written
}

void Output::write(std::string_view text)
{
    try {
        if (m_file)
            m_file->write(text);
        else if (std::fwrite(text.data(), 1, text.size(), m_stream) != text.size())
            fail(errno);
    } catch (const std::system_error& error) {
        fail(error.code().value());
    }
}

TextSink Output::sink()
{
    return [this](std::string_view text) { write(text); };
}

void Output::finish()
{
    try {
        if (m_file)
            return m_file->finish();
    } catch (const std::system_error& error) {
        fail(error.code().value());
    }
    if (std::fflush(m_stream) != 0)
        fail(errno);
    std::FILE* const stream = std::exchange(m_stream, nullptr);
    if (stream != stdout && std::fclose(stream) != 0)
        fail(errno);
}

void Output::fail(int errorNumber) const
{
    throw Error(Fault::Output, "{}: {}{}; choose another location",
                m_path.empty() ? "standard output" : m_path,
                std::generic_category().message(errorNumber), freeSpaceText(m_folder));
}

void writeOutput(const std::string& path, std::string_view content, WholeFileOptions options)
{
    Output output(path, options);
    output.write(content);
    output.finish();
}

}  // namespace calibscope
