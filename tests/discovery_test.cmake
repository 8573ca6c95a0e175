# Every case of a test program runs in one of the tests that ctest knows, each the cases of some tags:
# cmake -D PROGRAM=... -D TAGS=[#one],[#other] -P discovery_test.cmake
cmake_minimum_required(VERSION 3.25)

# Titles of the program's cases that match what is in ARGN, one a line, and their count.
function(list_cases result)
    # Catch2 2, whose exit code is the count; then Catch2 3, which does not know that option.
    execute_process(COMMAND ${PROGRAM} --filenames-as-tags --list-test-names-only ${ARGN} OUTPUT_VARIABLE titles ERROR_QUIET)
    if(NOT titles)
        execute_process(COMMAND ${PROGRAM} --filenames-as-tags --list-tests --verbosity quiet ${ARGN} OUTPUT_VARIABLE titles)
    endif()
    string(REGEX REPLACE "[^\n]+" "" newlines "${titles}")
    string(LENGTH "${newlines}" lines)
    set(${result} ${lines} PARENT_SCOPE)
    set(${result}_titles "${titles}" PARENT_SCOPE)
endfunction()

list_cases(owned)
list_cases(tagged ${TAGS})
if(owned EQUAL 0 OR NOT owned EQUAL tagged)
    message(FATAL_ERROR "${PROGRAM} has ${owned} cases, the tests of ctest run ${tagged}:\n${tagged_titles}")
endif()
message(STATUS "${owned} cases")
