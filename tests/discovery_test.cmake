# Catch2's CMake script splits a title at ";" and registers parts that no test has, which then "pass". So ctest must know
# as many tests of a program as the program itself: cmake -D PROGRAM=... -D NAME=... -D FOLDER=... -P discovery_test.cmake
cmake_minimum_required(VERSION 3.25)

function(countLines text result)
    string(REGEX REPLACE "[^\n]+" "" newlines "${text}")
    string(LENGTH "${newlines}" lines)
    set(${result} ${lines} PARENT_SCOPE)
endfunction()

# Catch2 2, whose exit code is the count; then Catch2 3, which does not know that option.
execute_process(COMMAND ${PROGRAM} --list-test-names-only OUTPUT_VARIABLE titles ERROR_QUIET)
if(NOT titles)
    execute_process(COMMAND ${PROGRAM} --list-tests --verbosity quiet OUTPUT_VARIABLE titles)
endif()
countLines("${titles}" owned)

execute_process(COMMAND ${CMAKE_CTEST_COMMAND} -N --test-dir ${FOLDER} -R "^${NAME}:" OUTPUT_VARIABLE listing)
if(NOT listing MATCHES "Total Tests: ([0-9]+)")
    message(FATAL_ERROR "ctest -N gave no total:\n${listing}")
endif()
set(registered ${CMAKE_MATCH_1})

if(owned EQUAL 0 OR NOT owned EQUAL registered)
    message(FATAL_ERROR "${NAME} has ${owned} tests, ctest knows ${registered}; is there a \";\" in a title?")
endif()
