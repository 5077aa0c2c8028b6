# Tests of a build for 64-bit Arm, run by qemu: each backend of ours is certified separately, those with vectors of any width at
# several widths.  Emulation is slow, hence the time limit; eigen and xtensor are left out, because their code is not ours.

# certile_emulated(BITS TIER BACKEND...): certifies them on a processor whose vectors have at most BITS bits.
function(certile_emulated bits tier)
  math(EXPR quadwords "${bits} / 128")
  string(REPLACE "sve-max-vq=2" "sve-max-vq=${quadwords}" emulator "${CMAKE_CROSSCOMPILING_EMULATOR}")
  list(JOIN emulator " " words)
  foreach(backend IN LISTS ARGN)
    set(test "emulated: ${backend} is conformant with vectors of ${bits} bits, tier ${tier}")
    add_test(NAME "${test}"
      COMMAND ${emulator} $<TARGET_FILE:certile> certify ${backend} --tier ${tier} --jobs 1 --time-limit 60)
    set_tests_properties("${test}" PROPERTIES ENVIRONMENT "CERTILE_EMULATOR=${words}")
  endforeach()
endfunction()

certile_emulated(256 core scalar simd simd-neon simd-sve simd-sve2 openmp)
certile_emulated(128 core simd-sve)
certile_emulated(512 core simd-sve2)
certile_emulated(256 smoke eigen xtensor)
