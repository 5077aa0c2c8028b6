# Tests of the whole: the layers, lengths and ids; an installed copy; the commands that the documents show.

if(CMAKE_CROSSCOMPILING)
  include(CertileEmulated)
  return()
endif()
if(CERTILE_SANITIZE)
  # A sanitizer looks at programs, and those of these tests that run one show the plain build. Its finding in the host process
  # ends that process, which fails the case. `./dev test --full` asks the whole tier.
  if(TARGET certile)
    add_test(NAME "sanitizers: find nothing in the built-in backends"
      COMMAND sh -c "'$<TARGET_FILE:certile>' certify $('$<TARGET_FILE:certile>' list --names) --tier smoke --jobs 2 \
        $([ $CERTILE_WHOLE ] || echo --budget 3000)")
    set_tests_properties("sanitizers: find nothing in the built-in backends" PROPERTIES PROCESSORS 2
      ENVIRONMENT TSAN_OPTIONS=halt_on_error=1)
  endif()
  return()
endif()
set(checks ${PROJECT_SOURCE_DIR}/tools)
add_test(NAME "structure: layers, lengths and ids hold"
  COMMAND Python3::Interpreter ${checks}/check_structure.py ${PROJECT_SOURCE_DIR})
add_test(NAME "structure: every rule reports what breaks it"
  COMMAND Python3::Interpreter ${checks}/check_structure_test.py)
add_test(NAME "prose: comments, documents and messages are plain English"
  COMMAND Python3::Interpreter ${checks}/check_prose.py ${PROJECT_SOURCE_DIR})
add_test(NAME "prose: every rule reports what breaks it"
  COMMAND Python3::Interpreter ${checks}/check_prose_test.py)
add_test(NAME "sources: quotations are in the texts that the pages name"
  COMMAND Python3::Interpreter ${checks}/check_sources.py ${PROJECT_SOURCE_DIR})
add_test(NAME "sources: every rule reports what breaks it"
  COMMAND Python3::Interpreter ${checks}/check_sources_test.py)
add_test(NAME "documents: the commands are found as they are written"
  COMMAND Python3::Interpreter ${checks}/run_document_test.py)
add_test(NAME "dev: passes on what it is given"
  COMMAND Python3::Interpreter ${checks}/dev_test.py)

add_test(NAME "lint: reports what is wrong, and keeps what it found"
  COMMAND Python3::Interpreter -B ${checks}/lint_test.py)

add_test(NAME "bench reports: say what a run has, and what changed"
  COMMAND Python3::Interpreter -B -m unittest discover -s ${checks}/bench -t ${checks}/bench -p "*_test.py")
if(TARGET certile-bench)
  set_tests_properties("bench reports: say what a run has, and what changed" PROPERTIES
    ENVIRONMENT CERTILE_BENCH=$<TARGET_FILE:certile-bench>)
endif()

if(NOT TARGET certile)
  return()
endif()

add_test(NAME "install: works from its prefix alone"
  COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR} -DCC=${CMAKE_C_COMPILER}
          -DPYTHON=${Python3_EXECUTABLE} -P ${PROJECT_SOURCE_DIR}/cmake/install_test.cmake)
add_test(NAME "install: needs no newer glibc than docs/install.md states"
  COMMAND Python3::Interpreter -B ${checks}/install/glibc_test.py ${PROJECT_SOURCE_DIR} $<TARGET_FILE:certile>)
add_test(NAME "install: works in a container, and says what holds there"
  COMMAND Python3::Interpreter -B ${checks}/install/container_test.py ${PROJECT_BINARY_DIR})
set_tests_properties("install: works in a container, and says what holds there" PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME "install: a project that includes the tree builds the header alone"
  COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DSOURCE=${PROJECT_SOURCE_DIR} -DCC=${CMAKE_C_COMPILER}
          -DCXX=${CMAKE_CXX_COMPILER} -P ${PROJECT_SOURCE_DIR}/cmake/subproject_test.cmake)
set(documents README.md docs/adding-a-backend.md docs/certificate.md docs/ci.md docs/debugging.md docs/languages.md
  docs/literals.md docs/page.md docs/reports.md docs/running.md docs/sandbox.md docs/shards.md)
if(TARGET certile-properties)
  list(APPEND documents docs/property-testing.md)
endif()
foreach(document IN LISTS documents)
  add_test(NAME "documents: the commands of ${document} do what it says"
    COMMAND Python3::Interpreter ${checks}/run_document.py ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR} ${document})
endforeach()
# README's own `./dev certify` asks core of every built-in backend, which takes minutes: `./dev test --full` does. This asks less:
# core, which begins with smoke, of one, and a part of smoke of the others, which .ci/run asks whole; of scalar Golden asks smoke.
add_test(NAME "dev: certifies the built-in backends"
  COMMAND sh -ec "others=$('$<TARGET_FILE:certile>' list --names | grep -vx -e scalar -e simd); \
    '${PROJECT_SOURCE_DIR}/dev' certify $others --tier smoke --budget 3000 --jobs 2; '${PROJECT_SOURCE_DIR}/dev' certify simd --jobs 2")
set_tests_properties("dev: certifies the built-in backends" PROPERTIES PROCESSORS 2 ENVIRONMENT CERTILE_BUILD=${PROJECT_BINARY_DIR})
# The self-test finds out how calls behave in time, so nothing runs next to it. It runs once: other tests read what it writes.
add_test(NAME "self-test: smoke is as it must be"
  COMMAND sh -c "'$<TARGET_FILE:certile>' self-test --junit self-test.xml >self-test.txt && code=0 || code=$?; cat self-test.txt; exit $code"
  WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
set_tests_properties("self-test: smoke is as it must be" PROPERTIES PROCESSORS 2 COST 200 TIMEOUT 3600 FIXTURES_SETUP self_test)
set_tests_properties("documents: the commands of README.md do what it says" PROPERTIES FIXTURES_REQUIRED self_test)

add_test(NAME "schemas: hold what certile and workers write"
  COMMAND Python3::Interpreter -B ${checks}/schemas_test.py ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR})
set_tests_properties("schemas: hold what certile and workers write" PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME "atlas: asks what certile knows, and says what differs"
  COMMAND Python3::Interpreter ${checks}/atlas_test.py $<TARGET_FILE:certile> ${PROJECT_SOURCE_DIR})

add_test(NAME "self-test: docs/mutants.md is what it prints"
  COMMAND sh -c "'$<TARGET_FILE:certile>' self-test --list | diff - '${PROJECT_SOURCE_DIR}/docs/mutants.md'")

# The page, in a browser if there is one; what it looked at stays in build/PRESET/page.
add_test(NAME "page: fits narrow and wide windows"
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/conformance/page/page_browser_test.py $<TARGET_FILE:certile>
          ${PROJECT_BINARY_DIR}/mutants ${PROJECT_BINARY_DIR}/page)
set_tests_properties("page: fits narrow and wide windows" PROPERTIES SKIP_RETURN_CODE 77)

# Certificates, and real runtimes, in the environments that ./dev makes for them.
add_test(NAME "certificate: holds for a stranger, and for the programs of others"
  COMMAND Python3::Interpreter -B ${checks}/certificate/certificate_test.py ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}
          ${CMAKE_C_COMPILER})
set_tests_properties("certificate: holds for a stranger, and for the programs of others" PROPERTIES TIMEOUT 3600)
foreach(name IN ITEMS numpy onnxruntime)
  add_test(NAME "runtimes: ${name} does what is known of it"
    COMMAND Python3::Interpreter ${checks}/adapters_test.py $<TARGET_FILE:certile> ${PROJECT_SOURCE_DIR} ${name})
  set_tests_properties("runtimes: ${name} does what is known of it" PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3600)
endforeach()
set(test "runtimes: the bytes of packed types are OpenVINO's")
add_test(NAME ${test} COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/backends/worker/adapters/openvino_layouts_test.py
  ${PROJECT_SOURCE_DIR})
set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3600)
# And every runtime whose environment exists computes what it times.
file(STRINGS ${PROJECT_SOURCE_DIR}/backends/worker/adapters/adapters.txt rows REGEX "^adapter ")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "^adapter ([^ ]+) .*" "\\1" name "${row}")
  set(test "runtimes: ${name} computes what it times")
  add_test(NAME ${test}
    COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/backends/worker/adapters/timing_test.py ${PROJECT_SOURCE_DIR} ${name})
  set_tests_properties(${test} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 3600)
endforeach()
