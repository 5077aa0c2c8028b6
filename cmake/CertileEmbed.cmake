# certile_embed(TARGET NAMESPACE::NAME FILES...): compiles the files into TARGET, so that an installed program needs no source tree.
# The function  std::span<const certile::EmbeddedFile> NAMESPACE::NAME()  returns them, in the order of FILES, each under its file
# name, or as FILE=>NAME under another; its callers declare it (reference/values/embedded.hpp has the type).  A file that changes is
# embedded again by the next build.
function(certile_embed target function)
  string(REGEX MATCH "^(.+)::([^:]+)$" matched ${function})
  set(namespace ${CMAKE_MATCH_1})
  set(name ${CMAKE_MATCH_2})
  set(files)
  set(named_files)
  foreach(file IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND named_files ${file})
    string(REGEX REPLACE "=>.*" "" file ${file})
    list(APPEND files ${file})
  endforeach()
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.cpp)
  # Another separator, because a list would be split on its way to the script.
  list(JOIN named_files "|" joined)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DCERTILE_EMBED_NAMESPACE=${namespace} -DCERTILE_EMBED_NAME=${name} -DCERTILE_EMBED_FILES=${joined}
            -DCERTILE_EMBED_OUTPUT=${output} -P ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    DEPENDS ${files} ${CMAKE_CURRENT_FUNCTION_LIST_FILE}
    COMMENT "Embedding ${name}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON) # long, and often another
endfunction()

# As a script, this file writes the source.  Arrays of bytes: a string literal may not be this long.
if(CMAKE_SCRIPT_MODE_FILE AND CERTILE_EMBED_OUTPUT)
  string(REPLACE "|" ";" files "${CERTILE_EMBED_FILES}")
  set(arrays "")
  set(table "")
  set(index 0)
  foreach(file IN LISTS files)
    cmake_path(GET file FILENAME file_name)
    if(file MATCHES "^(.*)=>(.*)$")
      set(file ${CMAKE_MATCH_1})
      set(file_name ${CMAKE_MATCH_2})
    endif()
    file(READ ${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    # The 0 at the end is for empty files, as there are no empty arrays; it is not counted.
    string(APPEND arrays "const unsigned char file_${index}[] = {${bytes}0};\n")
    string(APPEND table "      {\"${file_name}\", {reinterpret_cast<const char*>(file_${index}), sizeof file_${index} - 1}},\n")
    math(EXPR index "${index} + 1")
  endforeach()
  file(WRITE ${CERTILE_EMBED_OUTPUT} "// Written by cmake/CertileEmbed.cmake.
#include \"reference/values/embedded.hpp\"

namespace ${CERTILE_EMBED_NAMESPACE} {
namespace {
${arrays}}  // namespace

std::span<const EmbeddedFile> ${CERTILE_EMBED_NAME}();
std::span<const EmbeddedFile> ${CERTILE_EMBED_NAME}() {
  static const EmbeddedFile files[] = {
${table}  };
  return files;
}

}  // namespace ${CERTILE_EMBED_NAMESPACE}
")
endif()
