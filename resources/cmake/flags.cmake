# Contraction would round a * b + c once where the definitions round twice: in no target, so not left to each.
add_compile_options(-ffp-contract=off)
# GCC 12 forgets the rounding of {double(float(a)), double(float(b))} where it stores both at once; it does so from -O2 on.
add_compile_options($<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-fno-tree-slp-vectorize>)

# A tenth of the time that GCC takes goes into collecting its garbage: it begins to at 128 MB, of which a folder's sources take a
# gigabyte.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)

# What every target is compiled with: target_link_libraries(TARGET PRIVATE calibscope_flags).
add_library(calibscope_flags INTERFACE)
target_compile_features(calibscope_flags INTERFACE cxx_std_20)
target_compile_options(calibscope_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion
    # A designated initializer leaves out members on purpose: they have their defaults.
    -Wno-missing-field-initializers
    $<$<BOOL:${CALIBSCOPE_WERROR}>:-Werror>)

# GCC 12 warns of std::string's own code where it is inlined from a precompiled header, or from many files as one; GCC 14 of
# std::vector's.
set(calibscope_quiet_strings
    "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-maybe-uninitialized>")
if(CMAKE_UNITY_BUILD)
    # Clang's -Wshadow also compares a file's local names with another one's in an anonymous namespace; GCC's does not.
    target_compile_options(calibscope_flags INTERFACE ${calibscope_quiet_strings} $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
endif()

# The sanitizers' own code makes GCC 12 take standard containers for uninitialized.
if(CALIBSCOPE_SANITIZE)
    target_compile_options(calibscope_flags INTERFACE
        $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
        -fsanitize=${CALIBSCOPE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(calibscope_flags INTERFACE -fsanitize=${CALIBSCOPE_SANITIZE})
endif()
if(CALIBSCOPE_SANITIZE MATCHES "fuzzer")
    target_compile_definitions(calibscope_flags INTERFACE FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
endif()

# Tables of functions that are only read once the program has started, and no code on the stack.
add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)

# For what users run. The C library's checks need the optimiser, and a distribution may have set its own.
if(CALIBSCOPE_HARDEN)
    target_compile_options(calibscope_flags INTERFACE
        -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection
        $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-fcf-protection>)
endif()

# For users: loops over values gain from the whole optimiser; texts, tables and pictures gain little, and are compiled in three
# quarters of the time with half of it. No option of it changes a result.
set(calibscope_fast $<$<CONFIG:Release>:-O3>)
set(calibscope_brief $<$<CONFIG:Release>:-O1>)

# calibscope_needs_no_speed(TARGET): half the optimiser for what only waits for the engine, the user or the disk, and where
# hardened the standard library's checks of indices. Of the sanitizers' checks none of pointers, which AddressSanitizer has too;
# under them no optimiser, which takes half of the time that compiling tests takes.
function(calibscope_needs_no_speed target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo,Release>:-O1>)
    if(CALIBSCOPE_SANITIZE)
        target_compile_options(${target} PRIVATE -O0)
    endif()
    target_compile_definitions(${target} PRIVATE $<$<BOOL:${CALIBSCOPE_HARDEN}>:_GLIBCXX_ASSERTIONS>)
    if(CALIBSCOPE_SANITIZE MATCHES "undefined")
        target_compile_options(${target} PRIVATE
            -fno-sanitize=null,alignment,object-size,vptr,returns-nonnull-attribute)
    endif()
endfunction()

# calibscope_window_flags(TARGET): what the window is compiled with, and whatever shares its precompiled header.
function(calibscope_window_flags target)
    target_compile_options(${target} PRIVATE ${calibscope_brief})
    # A program that the linker compiles anew has copies of Qt's data, of which Qt's own libraries know nothing: it ends in
    # QApplication's constructor.
    set_target_properties(${target} PROPERTIES INTERPROCEDURAL_OPTIMIZATION OFF)
    # Under sanitizers what takes its time is compiling it.
    if(CALIBSCOPE_SANITIZE)
        calibscope_needs_no_speed(${target})
    endif()
endfunction()
