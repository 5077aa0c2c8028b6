// Tests the rules of the C table, with tables made here.  load_plugin_test.cpp tests loading libraries.
#include "backends/plugin/plugin.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "backends/plugin/status.hpp"
#include "reference/values/definitions_test.hpp"
#include "reference/values/fill.hpp"

namespace certile::backends {
namespace {

int destroyed = 0;

std::int32_t infer_same(void*, const certile_call* call, std::int64_t* shape, std::int32_t,
                        std::int32_t* rank, certile_text*) {
  for (std::int32_t axis = 0; axis < call->data->rank; ++axis)
    shape[axis] = call->data->shape[axis];
  *rank = call->data->rank;
  return CERTILE_OK;
}

std::int32_t run_nothing(void*, const certile_call*, certile_tensor*, certile_text*) {
  return CERTILE_OK;
}

std::int32_t open_usable(std::uint32_t, std::uint32_t, certile_plugin* plugin) {
  plugin->struct_size = sizeof *plugin;
  plugin->abi_major = CERTILE_ABI_MAJOR;
  plugin->abi_minor = CERTILE_ABI_MINOR;
  plugin->name = "mine";
  plugin->version = "2.1";
  plugin->operators = "onnx-tile-13";
  plugin->types = "f32 u8";
  plugin->repeats_types = "i64";
  plugin->infer = infer_same;
  plugin->run = run_nothing;
  plugin->destroy = [](void*) { ++destroyed; };
  return CERTILE_OK;
}

// Opens the usable table with one change, which may set the status of opening.
template <class Change>
Result<Plugin> open_with(Change) {
  return Plugin::open("./mine.so",
                      [](std::uint32_t major, std::uint32_t minor, certile_plugin* plugin) -> std::int32_t {
                        open_usable(major, minor, plugin);
                        if constexpr (std::is_void_v<decltype(Change()(plugin))>) {
                          Change()(plugin);
                          return CERTILE_OK;
                        } else {
                          return Change()(plugin);
                        }
                      });
}

// Returns the error that refuses such a table.
template <class Change>
std::string refusal(Change change) {
  const auto opened = open_with(change);
  if (opened) return "opened";
  return opened.error().code == Error::Code::io ? opened.error().what : "not an io error";
}

Inferred inferred_by(const Plugin& plugin) {
  const Case question = *parse_case("onnx-tile-13 f32[2] x i64{1}");
  const Tensor data = data_of(question);
  return plugin.infer(PluginCall(question, data));
}

template <class Change>
Ran ran_by(Change change) {
  const auto plugin = open_with(change);
  if (!plugin) return {Status::not_called, plugin.error().what};
  const Case question = *parse_case("onnx-tile-13 f32[2] x i64{1}");
  const Tensor data = data_of(question);
  Tensor out(ElementType::f32, {2});
  return plugin->run(PluginCall(question, data), c_tensor(out.mutable_view()));
}

TEST(Plugin, DescribesTheClaim) {
  const auto backend = open_with([](certile_plugin* plugin) {
    plugin->types = " f32  u8 f32 ";
    plugin->max_rank = std::numeric_limits<std::int64_t>::max();
    plugin->max_bytes = 4096;
  });
  ASSERT_TRUE(backend) << backend.error().what;
  Claim expected;
  expected.name = "mine";
  expected.version = "2.1";
  expected.definitions = {onnx_tile_13};
  expected.types = {ElementType::f32, ElementType::u8};
  expected.repeats_types = {ElementType::i64};
  expected.max_rank = std::numeric_limits<std::int64_t>::max();
  expected.max_bytes = 4096;
  EXPECT_EQ(backend->claim(), expected);
}

TEST(Plugin, LeavesAnotherMajorUntouched) {
  destroyed = 0;
  EXPECT_EQ(
      refusal([](certile_plugin* plugin) {
        plugin->abi_major = 7;
        plugin->struct_size = 3;
        plugin->name = reinterpret_cast<const char*>(1);
      }),
      "./mine.so: the plugin is of ABI major 7, and this certile speaks 1; rebuild it with this certile's "
      "certile_plugin.h");
  EXPECT_EQ(destroyed, 0);
}

TEST(Plugin, NamesTheMajorOfAPluginThatRefusesOurs) {
  EXPECT_EQ(refusal([](certile_plugin* plugin) {
              plugin->abi_major = 2;
              return CERTILE_UNSUPPORTED;
            }).substr(0, 41),
            "./mine.so: the plugin is of ABI major 2, ");
}

TEST(Plugin, SaysWhenAPluginRefusesToOpen) {
  EXPECT_EQ(refusal([](certile_plugin*) { return CERTILE_NO_MEMORY; }),
            "./mine.so: the plugin refuses to open (no memory, without a message)");
}

TEST(Plugin, CatchesWhatOpenThrows) {
  EXPECT_EQ(refusal([](certile_plugin*) -> std::int32_t { throw std::runtime_error("no device"); }),
            "./mine.so: while opening, an exception crossed the C table: no device; catch it in "
            "certile_plugin_open");
}

TEST(Plugin, ReadsNothingPastThePluginsOwnSize) {
  EXPECT_NE(refusal([](certile_plugin* plugin) {
              plugin->struct_size = offsetof(certile_plugin, destroy);
            }).find("struct_size is"),
            std::string::npos);
}

TEST(Plugin, AcceptsATableThatHasGrown) {
  EXPECT_TRUE(open_with([](certile_plugin* plugin) {
    plugin->struct_size = sizeof *plugin + 64;
    plugin->abi_minor = 9;
  }));
}

TEST(Plugin, RefusesATableWithoutRunOrDestroy) {
  EXPECT_NE(refusal([](certile_plugin* plugin) { plugin->run = nullptr; }).find("run is missing"),
            std::string::npos);
  EXPECT_NE(refusal([](certile_plugin* plugin) { plugin->destroy = nullptr; }).find("destroy is missing"),
            std::string::npos);
}

TEST(Plugin, RefusesAMissingOrEndlessName) {
  EXPECT_NE(refusal([](certile_plugin* plugin) {
              plugin->name = nullptr;
            }).find("name is no text of 1 to 200 characters"),
            std::string::npos);
  EXPECT_NE(refusal([](certile_plugin* plugin) {
              static const std::string endless(1 << 20, 'x');
              plugin->version = endless.c_str();
            }).find("version is no text of 1 to 200 characters"),
            std::string::npos);
}

TEST(Plugin, RefusesListsThatAreMissingEmptyOrUnknown) {
  EXPECT_NE(refusal([](certile_plugin* plugin) {
              plugin->operators = nullptr;
            }).find("operators is no text of at most 4000 characters"),
            std::string::npos);
  EXPECT_NE(refusal([](certile_plugin* plugin) { plugin->types = "  "; }).find("types is empty"),
            std::string::npos);
  EXPECT_NE(refusal([](certile_plugin* plugin) {
              plugin->repeats_types = "i64 int";
            }).find("repeats_types holds 'int', which is no name that certile knows"),
            std::string::npos);
}

TEST(Plugin, RefusesNegativeLimits) {
  EXPECT_NE(refusal([](certile_plugin* plugin) { plugin->max_elements = -1; }).find("a limit is negative"),
            std::string::npos);
}

TEST(Plugin, DestroysATableThatItRefuses) {
  destroyed = 0;
  EXPECT_NE(refusal([](certile_plugin* plugin) { plugin->types = ""; }), "opened");
  EXPECT_EQ(destroyed, 1);
}

TEST(Plugin, DestroysTheTableOnceAndSurvivesWhatThatThrows) {
  destroyed = 0;
  {
    const auto backend = open_with([](certile_plugin* plugin) {
      plugin->destroy = [](void*) {
        ++destroyed;
        throw 1;
      };
    });
    ASSERT_TRUE(backend);
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1);
}

TEST(Plugin, IsUnsupportedWithoutInfer) {
  const auto backend = open_with([](certile_plugin* plugin) { plugin->infer = nullptr; });
  ASSERT_TRUE(backend);
  EXPECT_FALSE(backend->claim().infers);
  EXPECT_EQ(inferred_by(*backend).status, Status::unsupported);
}

TEST(Plugin, PassesAbsurdDimensionsOn) {
  const auto backend = open_with([](certile_plugin* plugin) {
    plugin->infer = [](void*, const certile_call*, std::int64_t* shape, std::int32_t capacity,
                       std::int32_t* rank, certile_text*) {
      shape[0] = -4;
      shape[1] = std::numeric_limits<std::int64_t>::max();
      *rank = capacity < 64 ? -1 : 3;  // the third is left unwritten
      return std::int32_t{CERTILE_OK};
    };
  });
  const Inferred inferred = inferred_by(*backend);
  EXPECT_EQ(inferred.status, Status::ok);
  EXPECT_EQ(inferred.shape,
            (Shape{-4, std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}));
}

TEST(Plugin, FailsForAnImpossibleRank) {
  const auto negative = open_with([](certile_plugin* plugin) {
    plugin->infer = [](void*, const certile_call*, std::int64_t*, std::int32_t, std::int32_t* rank,
                       certile_text*) {
      *rank = -2;
      return std::int32_t{CERTILE_OK};
    };
  });
  const auto above = open_with([](certile_plugin* plugin) {
    plugin->infer = [](void*, const certile_call*, std::int64_t*, std::int32_t capacity, std::int32_t* rank,
                       certile_text*) {
      *rank = capacity + 1;
      return std::int32_t{CERTILE_OK};
    };
  });
  EXPECT_EQ(inferred_by(*negative).message, "infer gave the rank -2, with room for 64 dimensions");
  EXPECT_EQ(inferred_by(*above).status, Status::failed);
}

TEST(Plugin, GivesEveryStatusItsMeaning) {
  static std::int32_t status = 0;
  for (const auto& [returned, meant] : {std::pair{CERTILE_REJECTED, Status::rejected},
                                        {CERTILE_UNSUPPORTED, Status::unsupported},
                                        {CERTILE_NO_MEMORY, Status::no_memory},
                                        {CERTILE_FAILED, Status::failed}}) {
    status = returned;
    const Ran ran = ran_by([](certile_plugin* plugin) {
      plugin->run = [](void*, const certile_call*, certile_tensor*, certile_text*) { return status; };
    });
    EXPECT_EQ(ran.status, meant) << returned;
    EXPECT_FALSE(ran.message.empty());
  }
}

TEST(Plugin, TakesUnknownStatusesForFailures) {
  static std::int32_t status = 0;
  for (const std::int32_t unknown : {99, -1, static_cast<std::int32_t>(Status::crashed)}) {
    status = unknown;
    const Ran ran = ran_by([](certile_plugin* plugin) {
      plugin->run = [](void*, const certile_call*, certile_tensor*, certile_text*) { return status; };
    });
    EXPECT_EQ(ran.status, Status::failed);
    EXPECT_EQ(ran.message, "unknown status " + std::to_string(unknown));
  }
}

TEST(Plugin, TakesAMessageWithoutAnEndForAFailureAndPassesControlCharactersOn) {
  const Ran endless = ran_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor*, certile_text* why) {
      std::memset(why->utf8, 'x', why->capacity);
      why->capacity = 1u << 30;
      why->utf8 = nullptr;
      return std::int32_t{CERTILE_REJECTED};
    };
  });
  EXPECT_EQ(endless.message, "it wrote a message that does not end within the room for it");
  const Ran raw = ran_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor*, certile_text* why) {
      std::strcpy(why->utf8, "\033[2J\n");
      return std::int32_t{CERTILE_REJECTED};
    };
  });
  EXPECT_EQ(raw.message, "\033[2J\n");
}

TEST(Plugin, TurnsExceptionsIntoFailures) {
  EXPECT_EQ(ran_by([](certile_plugin* plugin) {
              plugin->run = [](void*, const certile_call*, certile_tensor*, certile_text*) -> std::int32_t {
                throw 42;
              };
            }).message,
            "an exception crossed the C table");
}

TEST(Plugin, TakesARefusalThatChangedTheDescriptorForAFailure) {
  const Ran ran = ran_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor* out, certile_text*) {
      out->rank = 0;
      return std::int32_t{CERTILE_REJECTED};
    };
  });
  EXPECT_EQ(ran.status, Status::failed);
  EXPECT_TRUE(ran.changed_descriptor());
  EXPECT_EQ(ran.message, "it changed the output's descriptor, and then said: rejected, without a message");
}

TEST(Plugin, ReportsADescriptorThatWasChanged) {
  const Ran moved = ran_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call* call, certile_tensor* out, certile_text*) {
      out->data = call->data->data;
      return std::int32_t{CERTILE_OK};
    };
  });
  EXPECT_TRUE(moved.moved && !moved.reshaped && !moved.retyped);
  const Ran realigned = ran_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor* out, certile_text*) {
      out->alignment = 4096;
      return std::int32_t{CERTILE_OK};
    };
  });
  EXPECT_TRUE(realigned.moved && !realigned.reshaped && !realigned.retyped);
  const Ran reshaped = ran_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor* out, certile_text*) {
      const_cast<std::int64_t*>(out->shape)[0] = 1;
      return std::int32_t{CERTILE_OK};
    };
  });
  EXPECT_TRUE(!reshaped.moved && reshaped.reshaped && !reshaped.retyped);
  const Ran retyped = ran_by([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor* out, certile_text*) {
      out->element_type = CERTILE_I32;
      return std::int32_t{CERTILE_OK};
    };
  });
  EXPECT_TRUE(!retyped.moved && !retyped.reshaped && retyped.retyped);
}

// The arguments that the plugin received, for the tests.
certile_tensor seen_data, seen_out;

TEST(Plugin, GivesNoPointerWhereThereAreNoBytes) {
  const auto backend = open_with([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call* call, certile_tensor* out, certile_text*) {
      seen_data = *call->data;
      seen_out = *out;
      return std::int32_t{CERTILE_OK};
    };
  });
  const Case question = *parse_case("onnx-tile-13 f64[0] x i64{1}");
  const Tensor data = data_of(question);
  Tensor out(ElementType::f64, {0});
  ASSERT_EQ(backend->run(PluginCall(question, data), c_tensor(out.mutable_view())).status, Status::ok);
  EXPECT_EQ(seen_data.data, nullptr);
  EXPECT_EQ(seen_out.data, nullptr);
  EXPECT_EQ(seen_out.byte_size, 0U);
  EXPECT_EQ(seen_out.alignment, 8U);
  EXPECT_EQ(seen_out.element_bits, 64U);
}

TEST(Plugin, StatesTheAlignmentThatThereIs) {
  const auto backend = open_with([](certile_plugin* plugin) {
    plugin->run = [](void*, const certile_call*, certile_tensor* out, certile_text*) {
      seen_out = *out;
      return std::int32_t{CERTILE_OK};
    };
  });
  alignas(64) std::array<std::byte, 128> memory;
  const Case question = *parse_case("onnx-tile-13 u8[2] x i64{1}");
  const Tensor data = data_of(question);
  const Shape shape{2};
  const PluginCall call(question, data);
  ASSERT_EQ(
      backend->run(call, c_tensor(MutableTensorView{ElementType::u8, shape, std::span(memory).subspan(4, 2)}))
          .status,
      Status::ok);
  EXPECT_EQ(seen_out.alignment, 4U);
  ASSERT_EQ(
      backend->run(call, c_tensor(MutableTensorView{ElementType::u8, shape, std::span(memory).subspan(9, 2)}))
          .status,
      Status::ok);
  EXPECT_EQ(seen_out.alignment, 1U);
}

}  // namespace
}  // namespace certile::backends
