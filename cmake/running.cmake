# For tests that are CMake scripts: commands in the folder `elsewhere`.

# run(COMMAND...): in the other folder; the test ends where a command fails. Leaves its standard output in `said`.
function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY "${elsewhere}" RESULT_VARIABLE code OUTPUT_VARIABLE output
                  ERROR_VARIABLE errors)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "exit code ${code}: ${command}\n${output}${errors}")
  endif()
  set(said "${output}" PARENT_SCOPE)
endfunction()

function(expect text)
  string(FIND "${said}" "${text}" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "'${text}' is missing in:\n${said}")
  endif()
endfunction()
