# What `cmake --install` copies: the programs, the header and the example that a plugin's author needs, and the documents.
# The program needs none of the other files.
if(TARGET certile)
  install(TARGETS certile RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(TARGETS certile-host RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/certile)
endif()
if(TARGET certile-bench)
  install(TARGETS certile-bench RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} OPTIONAL)
  install(DIRECTORY tools/bench DESTINATION ${CMAKE_INSTALL_DATADIR}/certile # pictures and comparisons of what it measured
    FILES_MATCHING PATTERN "*.py" PATTERN "*_test.py" EXCLUDE PATTERN __pycache__ EXCLUDE)
endif()
install(FILES backends/plugin/certile_plugin.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/certile)
install(FILES backends/plugin/example.c backends/worker/example.py backends/worker/example_worker.c
  DESTINATION ${CMAKE_INSTALL_DATADIR}/certile/examples)
install(DIRECTORY backends/worker/python DESTINATION ${CMAKE_INSTALL_DATADIR}/certile # pip installs it from there
  PATTERN tests EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES backends/worker/protocol.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/backends/worker)
install(DIRECTORY reference/spec DESTINATION ${CMAKE_INSTALL_DOCDIR}/reference FILES_MATCHING PATTERN "*.md" PATTERN "*.rst")
