// Tests libraries through the loader that programs use.  CERTILE_PLUGINS and CERTILE_TEST_PLUGINS are the
// folders of the libraries.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "backends/plugin/status.hpp"
#include "backends/registry/registry.hpp"
#include "reference/oracle/tile.hpp"
#include "reference/values/definitions_test.hpp"
#include "reference/values/fill.hpp"
#include "reference/values/tensor.hpp"

namespace certile::backends {
namespace {

const std::string plugins = CERTILE_PLUGINS;
const std::string test_plugins = CERTILE_TEST_PLUGINS;

Error error_of_opening(const std::string& spelling) {
  const auto opened = open_backend(spelling);
  return opened ? Error{Error::Code::bad_literal, "opened"} : opened.error();
}

// Returns the output, or the error, of that case.
std::string answer(const Plugin& backend, const std::string& literal) {
  const Case question = *parse_case(literal);
  const Tensor data = data_of(question);
  const PluginCall call(question, data);
  const Inferred inferred = backend.infer(call);
  if (inferred.status == Status::rejected) return "rejected";
  if (inferred.status != Status::ok) return "infer: " + inferred.message;
  Tensor out = Tensor::for_output_of(data, inferred.shape);
  const Ran ran = backend.run(call, c_tensor(out.mutable_view()));
  return ran.status == Status::ok ? to_string(out) : "run: " + ran.message;
}

Result<Tensor> answer_to(const std::string& literal) {
  const Case question = *parse_case(literal);
  return oracle::tile(question, data_of(question));
}

TEST(OpenBackend, NamesTheKnownOnesForAnUnknownName) {
  const Error error = error_of_opening("sclar");
  EXPECT_EQ(error.code, Error::Code::unsupported);
  EXPECT_TRUE(error.what.starts_with("no backend is called 'sclar'; known are scalar, ")) << error.what;
  EXPECT_TRUE(error.what.ends_with(
      ", a path that contains a '/' names a shared library, and worker:COMMAND another process"))
      << error.what;
}

TEST(OpenBackend, TakesWhatHasASlashForALibrary) {
  EXPECT_TRUE(is_library("./libmine.so"));
  EXPECT_FALSE(is_library("scalar"));
}

TEST(OpenBackend, NamesAFileThatIsMissing) {
  const Error error = error_of_opening("./no/such/libmine.so");
  EXPECT_EQ(error.code, Error::Code::io);
  EXPECT_EQ(error.what,
            "./no/such/libmine.so: there is no such file; give the path of a shared library, or a name that "
            "`certile "
            "list` shows");
}

TEST(OpenBackend, SaysWhyAFileCannotBeReached) {
  const std::string path = "./" + std::string(300, 'a') + ".so";
  EXPECT_EQ(error_of_opening(path).what, path + ": this cannot be reached: File name too long");
}

TEST(OpenBackend, RefusesAFolder) {
  EXPECT_EQ(error_of_opening("./").what, "./: this is not a file; give the path of a shared library");
}

TEST(OpenBackend, RefusesAFileThatIsNoLibrary) {
  const std::string path = testing::TempDir() + "not_a_library_" + std::to_string(getpid()) + ".so";
  std::ofstream(path) << "text\n";
  const Error error = error_of_opening(path);
  std::remove(path.c_str());
  EXPECT_EQ(error.code, Error::Code::io);
  EXPECT_EQ(error.what.rfind(path + ": this cannot be loaded as a shared library (", 0), 0U) << error.what;
}

TEST(OpenBackend, RefusesALibraryWithoutTheSymbol) {
  const std::string path = test_plugins + "/no_symbol.so";
  EXPECT_EQ(error_of_opening(path).what,
            path +
                ": the library does not export certile_plugin_open; define it as "
                "certile_plugin.h declares it");
}

TEST(OpenBackend, RefusesALibraryOfAnotherMajor) {
  const std::string path = test_plugins + "/wrong_major.so";
  EXPECT_EQ(error_of_opening(path).what,
            path +
                ": the plugin is of ABI major 2, and this certile speaks 1; rebuild it "
                "with this certile's certile_plugin.h");
}

TEST(OpenBackend, PassesANastyNameOn) {
  const auto backend = open_backend(test_plugins + "/nasty_name.so");
  ASSERT_TRUE(backend) << backend.error().what;
  EXPECT_EQ(backend->claim().name, "nasty\033[31m\nname");
}

TEST(OpenBackend, CatchesWhatALibraryThrows) {
  const auto backend = open_backend(test_plugins + "/throws.so");
  ASSERT_TRUE(backend) << backend.error().what;
  EXPECT_EQ(answer(*backend, "onnx-tile-13 f32[2,3,4] x i64{1,2,3}"),
            "run: an exception crossed the C table: thrown by the plugin");
  EXPECT_EQ(answer(*backend, "onnx-tile-13 u8[3] x i64{-1}"), "infer: an exception crossed the C table");
  EXPECT_EQ(answer(*backend, "onnx-tile-13 u8{7} x i64{2}"), "u8{7,7}");
}

TEST(ExamplePlugin, AgreesWithTheOracle) {
  const auto backend = open_backend(plugins + "/libexample.so");
  ASSERT_TRUE(backend) << backend.error().what;
  EXPECT_EQ(backend->claim().types.size(), 16U);
  for (const ElementType type : backend->claim().types)
    for (const char* rest :
         {"[2,3] x i64{2,2}", "[3,1,5] x i64{2,3,1}", "[] x i64{}", "[0,3] x i64{2,2}", "[2,3] x i64{2,0}",
          "[2] x i64{-1}", "[2,3] x i64{2}", "[3] x i64{6148914691236517206}", "[2] x i32{2}",
          "[1,1] x i64{4294967296,2147483648}", "[2] x i64[1,1]{2}", "[2] x i64[]{2}"}) {
      const std::string literal = "onnx-tile-13 " + std::string(name(type)) + rest;
      const auto expected = answer_to(literal);
      EXPECT_EQ(answer(*backend, literal), expected ? to_string(*expected) : "rejected") << literal;
    }
}

TEST(ExamplePlugin, ClaimsOneOperator) {
  const auto backend = open_backend(plugins + "/libexample.so");
  ASSERT_TRUE(backend) << backend.error().what;
  EXPECT_EQ(backend->claim().definitions, std::vector<DefinitionId>{onnx_tile_13});
  EXPECT_EQ(answer(*backend, "openvino-tile-1 u8[2] x i64{2}"), "infer: only onnx-tile-13 is implemented");
}

}  // namespace
}  // namespace certile::backends
