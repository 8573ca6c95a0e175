# Debian packages by CPack: cpack -G DEB in a build folder, or resources/packaging/deb.sh, which builds with Debian's own
# flags. All that an installation has, and what Debian asks of a package.
# Honours SOURCE_DATE_EPOCH.
string(TIMESTAMP calibscope_date "%a, %d %b %Y %H:%M:%S +0000" UTC)

set(CPACK_PACKAGE_NAME calibscope)
set(CPACK_PACKAGE_VENDOR "The Calibscope authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "inspect the calibration of post-training quantization")
set(CPACK_PACKAGE_DESCRIPTION
"Calibscope opens recorded activations and weights of neural networks,
computes the scales that calibration algorithms of published recipes choose,
and shows histograms, thresholds, curves and errors side by side.
.
The program calib gives the same numbers on the command line, writes quantized
models and checks them.")
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nodejs, python3")
# As Debian's own tools take it; deb.sh fills it in.
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
if(CALIBSCOPE_WINDOW)
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS qt6-wayland)
    # Icons are SVG. Newer Debian has their reader in a package that no library depends on.
    if(Qt6Svg_VERSION VERSION_GREATER_EQUAL 6.7)
        set(CPACK_DEBIAN_PACKAGE_DEPENDS qt6-svg-plugins)
    endif()
endif()

# calibscope_compressed(FILE DESTINATION NAME): installs it as NAME.gz, the same bytes each time.
function(calibscope_compressed file destination name)
    set(result ${CMAKE_CURRENT_BINARY_DIR}/${name}.gz)
    add_custom_command(OUTPUT ${result}
        COMMAND sh -c "\"$1\" -9n <\"$2\" >\"$3\"" gzip ${CALIBSCOPE_GZIP} ${file} ${result}
        DEPENDS ${file} VERBATIM)
    add_custom_target(compressed_${name} ALL DEPENDS ${result})
    install(FILES ${result} DESTINATION ${destination})
endfunction()

# What only a Debian package has.
if(CALIBSCOPE_DEBIAN AND CALIBSCOPE_GZIP)
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/changelog.debian
"calibscope (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Version ${PROJECT_VERSION}; changelog.gz has what is new.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${calibscope_date}
")
    calibscope_compressed(${CMAKE_CURRENT_BINARY_DIR}/changelog.debian ${CMAKE_INSTALL_DOCDIR} changelog.Debian)
    calibscope_compressed(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${CMAKE_INSTALL_DOCDIR} changelog)
    install(FILES ${CMAKE_CURRENT_LIST_DIR}/debian/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
    install(FILES ${CMAKE_CURRENT_LIST_DIR}/debian/overrides DESTINATION share/lintian/overrides RENAME calibscope)
endif()
include(CPack)
