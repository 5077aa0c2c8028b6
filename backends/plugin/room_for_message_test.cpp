#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "backends/plugin/plugin.hpp"
#include "backends/plugin/status.hpp"
#include "reference/values/fill.hpp"

namespace certile::backends {
namespace {

// Returns what a run of a table comes to that writes a message of 100 characters and its end, whatever the
// room.
Ran ran_with(std::uint32_t room) {
  const auto plugin = Plugin::open("./mine.so", [](std::uint32_t, std::uint32_t, certile_plugin* table) {
    table->struct_size = sizeof *table;
    table->abi_major = CERTILE_ABI_MAJOR;
    table->name = "mine";
    table->version = "1";
    table->operators = "onnx-tile-13";
    table->types = "f32";
    table->repeats_types = "i64";
    table->run = [](void*, const certile_call*, certile_tensor*, certile_text* why) {
      std::memset(why->utf8, 'x', 100);
      why->utf8[100] = '\0';
      return std::int32_t{CERTILE_REJECTED};
    };
    table->destroy = [](void*) {};
    return std::int32_t{CERTILE_OK};
  });
  const Case question = *parse_case("onnx-tile-13 f32[2] x i64{1}");
  const Tensor data = data_of(question);
  Tensor out(ElementType::f32, {2});
  return plugin->run(PluginCall(question, data), c_tensor(out.mutable_view()), room);
}

TEST(RoomForMessage, IsAsMuchAsTheCapacitySays) {
  EXPECT_EQ(ran_with(Plugin::usual_room).message, std::string(100, 'x'));
  EXPECT_FALSE(ran_with(101).overran);
}

TEST(RoomForMessage, IsNotLeftByAMessageThatFits) {
  const Ran beyond = ran_with(64);
  EXPECT_TRUE(beyond.overran);
  EXPECT_EQ(beyond.status, Status::failed);
  EXPECT_EQ(beyond.message, "it wrote a message that does not end within the room for it");
}

TEST(RoomForMessage, IsLeftByTheEndOfAMessageThatFillsIt) {
  EXPECT_TRUE(ran_with(100).overran);
}

}  // namespace
}  // namespace certile::backends
