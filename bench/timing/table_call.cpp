#include "bench/timing/table_call.hpp"

#include <array>

#include "backends/plugin/plugin_call.hpp"

namespace certile::bench {

void TableCall::run(benchmark::State& state, Temperature temperature) {
  const backends::PluginCall call = memory_.call(definition_);
  certile_tensor output = backends::c_tensor(memory_.output());
  std::array<char, 256> message{};
  certile_text why{sizeof why, message.size(), message.data()};
  const certile_call& called = call;
  run_here(state, temperature, memory_,
           [&] { return table_.run(table_.self, &called, &output, &why) == CERTILE_OK; });
}

}  // namespace certile::bench
