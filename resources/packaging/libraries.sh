# For scripts that pack programs with what they are linked to; sourced. Needs ldd and patchelf.

# is_of_system LIBRARY: the C library and its loader. Another one beside the system's loader does not start.
is_of_system() {
    case $1 in
        ld-linux* | linux-vdso* | libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.*) return 0 ;;
    esac
    return 1
}

# copy_libraries FOLDER FILE...: all that these are linked to and is_of_system() leaves, found from the folder itself.
copy_libraries() {
    local into=$1 file name path
    shift
    mkdir -p "$into"
    for file in "$@"; do
        while read -r name path; do
            is_of_system "$name" || [[ -e $into/$name ]] && continue
            [[ -f $path ]] || { echo "$name, which $file needs, is not found" >&2; return 1; }
            install -m 755 "$(readlink -f "$path")" "$into/$name"
            # RPATH rather than RUNPATH, which would not hold for the libraries' own.
            patchelf --force-rpath --set-rpath "\$ORIGIN" "$into/$name"
        done < <(ldd "$file" | awk '$2 == "=>" { print $1, $3 }')
    done
}

# needed_c_library FILE...: the newest version of its symbols, GLIBC_2.36.
needed_c_library() {
    local file symbols
    # Without a pager's early end, which pipefail would take for a failure.
    symbols=$(for file in "$@"; do
        LC_ALL=C grep -ao 'GLIBC_2\.[0-9]*' "$file" || true
    done | sort -Vu)
    tail -n 1 <<<"$symbols"
}
