// Lets exceptions cross the table: a standard one in one case, one of unknown type when it refuses shapes.
#include <stdexcept>

#include "right.h"

namespace {

std::int32_t infer(void* self, const certile_call* call, std::int64_t* shape, std::int32_t capacity,
                   std::int32_t* rank, certile_text* why) {
  const std::int32_t status = right.infer(self, call, shape, capacity, rank, why);
  if (status != CERTILE_OK) throw 42;
  return status;
}

std::int32_t run(void* self, const certile_call* call, certile_tensor* out, certile_text* why) {
  if (is_the_case(call)) throw std::runtime_error("thrown by the plugin");
  return right.run(self, call, out, why);
}

}  // namespace

std::int32_t certile_plugin_open(std::uint32_t host_major, std::uint32_t host_minor, certile_plugin* plugin) {
  const std::int32_t status = open_right(host_major, host_minor, plugin, "throws");
  plugin->infer = infer;
  plugin->run = run;
  return status;
}
