# Contraction would round a * b + c once where the definitions round twice: in no target, so not left to each.
add_compile_options(-ffp-contract=off)
# GCC 12 forgets the rounding of {double(float(a)), double(float(b))} where it stores both at once; it does so from -O2 on. Sources say
# toFloat32(), which it can't look into; this is for conversions that nobody noticed.
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)

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

# calibscope_unchecked_pointers(TARGET): without those of the sanitizers' checks of pointers that AddressSanitizer has, too.
function(calibscope_unchecked_pointers target)
    if(CALIBSCOPE_SANITIZE MATCHES "undefined")
        target_compile_options(${target} PRIVATE
            -fno-sanitize=null,alignment,object-size,vptr,returns-nonnull-attribute)
    endif()
endfunction()
