#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace calibscope {

/// The tensors that were looked at, by path, as a browser keeps pages: going
/// somewhere forgets what lay ahead.
class Navigation
{
public:
    /// Empty: the dump as a whole. Where one already is, nothing changes.
    void visit(const std::string& path);
    void clear();

    [[nodiscard]] bool canGoBack() const { return m_here > 0; }
    [[nodiscard]] bool canGoForward() const { return m_here + 1 < m_visited.size(); }
    /// Where that leads, which is where one is afterwards; nothing if there is no
    /// such place.
    [[nodiscard]] std::optional<std::string> back();
    [[nodiscard]] std::optional<std::string> forward();

private:
    static constexpr std::size_t mostVisited = 200;

    std::vector<std::string> m_visited;
    std::size_t m_here = 0;  ///< place in it; 0 while it is empty
};

}  // namespace calibscope
