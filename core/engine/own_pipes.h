#pragma once

namespace calibscope::engine {

/// Descriptors that only the engine knows.
struct OwnPipes
{
    int input = -1;
    int output = -1;
};

/// Takes standard input and output away from everybody else in this process: a library that prints
/// writes to standard error from now on, one that reads finds nothing. Throws Error(Usage) where
/// they are a terminal, Error(Output) where the system refuses.
[[nodiscard]] OwnPipes takeStandardPipes();

}  // namespace calibscope::engine
