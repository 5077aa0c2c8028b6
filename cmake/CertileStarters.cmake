# The starters that `certile new` writes: the files of backends/starters, embedded as LANGUAGE/PATH, and their tests.  Files in
# every/ belong to each language; a file that is elsewhere in the tree, or in another language, is named here.
set(starter_languages c cpp rust python)
set(starters ${PROJECT_SOURCE_DIR}/backends/starters)
set(plugin ${PROJECT_SOURCE_DIR}/backends/plugin)
set(elsewhere_c ${plugin}/example.c=>c/example.c)

set(embedded)
foreach(language IN LISTS starter_languages)
  foreach(folder IN ITEMS ${language} every)
    file(GLOB_RECURSE files RELATIVE ${starters}/${folder} CONFIGURE_DEPENDS ${starters}/${folder}/*)
    list(FILTER files EXCLUDE REGEX "(^|/)(__pycache__|target|build)/")
    foreach(file IN LISTS files)
      list(APPEND embedded ${starters}/${folder}/${file}=>${language}/${file})
    endforeach()
  endforeach()
  list(APPEND embedded ${elsewhere_${language}})
endforeach()
certile_embed(certile_conformance_cli certile::conformance::embedded_starters ${embedded})

# Each is written, built and certified as its user would do it, where its compiler is; then its kernel is broken, and its test fails.
if(CERTILE_BUILD_TESTS AND NOT CERTILE_SANITIZE AND NOT CMAKE_CROSSCOMPILING)
  foreach(language IN LISTS starter_languages)
    set(test "starters: ${language} builds, passes its claim, and fails once it is broken")
    add_test(NAME ${test} COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tools/starters_test.py ${PROJECT_BINARY_DIR} ${language})
    set_tests_properties(${test} PROPERTIES LABELS whole SKIP_RETURN_CODE 77 TIMEOUT 3600)
  endforeach()
endif()
