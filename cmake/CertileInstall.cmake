# What `cmake --install` copies: the programs, what a plugin's author needs, and the documents. The programs need none of the
# other files, and an installation works wherever it is moved. A wheel
# has the Python package also where Python looks for it.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME certile)

if(TARGET certile)
  install(TARGETS certile RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS certile-host RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/certile)
endif()
foreach(program IN ITEMS certile-bench certile-properties)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
  endif()
endforeach()
if(TARGET certile-bench)
  install(DIRECTORY tools/bench DESTINATION ${CMAKE_INSTALL_DATADIR}/certile # pictures and comparisons of what it measured
    FILES_MATCHING PATTERN "*.py" PATTERN "*_test.py" EXCLUDE PATTERN __pycache__ EXCLUDE)
endif()

install(FILES backends/plugin/certile_plugin.h backends/plugin/certile_runner.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/certile)
if(TARGET certile_runner)
  install(FILES $<TARGET_PROPERTY:certile_runner,IMPORTED_LOCATION> DESTINATION ${CMAKE_INSTALL_LIBDIR})
  get_target_property(runner_links certile_runner INTERFACE_LINK_LIBRARIES)
  list(REMOVE_ITEM runner_links certile_plugin_abi)
endif()
install(FILES backends/plugin/example.c backends/plugin/program.c backends/worker/example.py backends/worker/example_worker.c
  DESTINATION ${CMAKE_INSTALL_DATADIR}/certile/examples)

# A build directory has the package where an installation has it: find_package() looks next to the program on the PATH.
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/certile)
set(built ${CMAKE_CURRENT_BINARY_DIR}/${package})
configure_package_config_file(cmake/CertileConfig.cmake.in ${built}/certile-config.cmake
  INSTALL_DESTINATION ${package} PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${built}/certile-config-version.cmake COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
configure_file(cmake/CertileCertify.cmake ${built}/CertileCertify.cmake COPYONLY)
install(DIRECTORY ${built}/ DESTINATION ${package})

install(FILES conformance/records/schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/certile/schemas RENAME records.json)
install(FILES conformance/certificate/schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/certile/schemas RENAME certificate.json)
install(DIRECTORY conformance/plan/corpora DESTINATION ${CMAKE_INSTALL_DATADIR}/certile FILES_MATCHING PATTERN "*.tile")

# The workers of runtimes, which find the Python package in the folder next to them: private environments have no other.
install(DIRECTORY backends/worker/adapters DESTINATION ${CMAKE_INSTALL_DATADIR}/certile
  FILES_MATCHING PATTERN "*.py" PATTERN adapters.txt PATTERN "*_test.py" EXCLUDE PATTERN "atlas*" EXCLUDE
  PATTERN __pycache__ EXCLUDE)
install(DIRECTORY backends/worker/python DESTINATION ${CMAKE_INSTALL_DATADIR}/certile
  PATTERN tests EXCLUDE PATTERN __pycache__ EXCLUDE)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/certile) # a build directory has the package there, too
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/backends/worker/python ${PROJECT_BINARY_DIR}/share/certile/python SYMBOLIC)
# The documents, and what they link to, as in the source tree: check_structure.py --links.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs ci DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(file IN ITEMS protocol.md hello.schema.json example.py example_worker.c python/README.md adapters/adapters.txt)
  cmake_path(GET file PARENT_PATH folder)
  install(FILES backends/worker/${file} DESTINATION ${CMAKE_INSTALL_DOCDIR}/backends/worker/${folder})
endforeach()
foreach(part IN ITEMS records certificate)
  install(FILES conformance/${part}/schema.json DESTINATION ${CMAKE_INSTALL_DOCDIR}/conformance/${part})
endforeach()
install(DIRECTORY reference/spec DESTINATION ${CMAKE_INSTALL_DOCDIR}/reference FILES_MATCHING PATTERN "*.md" PATTERN "*.rst")

# All that is installed, without the tests.
add_custom_target(certile_installed)
foreach(target IN ITEMS certile certile-host certile-bench certile-properties certile_mutants certile_hostile certile_runner_archive)
  if(TARGET ${target})
    add_dependencies(certile_installed ${target})
  endif()
endforeach()

# ./dev packages: a Debian package, and an archive that can be unpacked anywhere.
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_CONTACT "the maintainers of certile")
set(CPACK_PACKAGE_VENDOR certile)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_SOURCE_DIR}/build/packages)
set(CPACK_STRIP_FILES ON)
include(CPack)
