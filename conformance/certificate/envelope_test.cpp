#include "conformance/certificate/envelope.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "conformance/testing/example_runs_test.hpp"

namespace certile::conformance {
namespace {

std::string text_or_reason(const Result<std::string>& result) {
  return result ? *result : result.error().what;
}

TEST(Envelope, SignsTheBytesOfTheProtocol) {
  EXPECT_EQ(signed_bytes("{}"), "DSSEv1 28 application/vnd.in-toto+json 2 {}");
  EXPECT_EQ(signed_bytes(""), "DSSEv1 28 application/vnd.in-toto+json 0 ");
}

TEST(Envelope, GivesBackWhatWasSigned) {
  for (const auto type : {Key::Type::ed25519, Key::Type::p256}) {
    const Key key = *Key::generate(type);
    for (const std::string& statement : {std::string(), std::string("{}\n"), std::string(1000, '\xff')}) {
      const auto envelope = enveloped(statement, key);
      ASSERT_TRUE(envelope);
      EXPECT_EQ(text_or_reason(opened(*envelope, key)), statement);
    }
  }
}

TEST(Envelope, IsOneLineOfJson) {
  const Key key = *Key::generate(Key::Type::ed25519);
  const std::string text = *enveloped("{}", key);
  EXPECT_EQ(text.substr(0, 75),
            "{\"payload\":\"e30=\",\"payloadType\":\"application/vnd.in-toto+json\",\"signatures\"");
  EXPECT_EQ(text.find('\n'), text.size() - 1);
  EXPECT_TRUE(looks_like_envelope(text));
  EXPECT_FALSE(looks_like_envelope("{\"header\":{}}\n{}\n"));
}

TEST(Envelope, NamesTheByteThatIsNotInTheOneForm) {
  const Key key = *Key::generate(Key::Type::ed25519);
  std::string text = *enveloped("{}", key);
  text.insert(1, " ");
  EXPECT_EQ(opened(text, key).error().what,
            "byte 1 is not as certile writes it: the envelope has another form");
  EXPECT_EQ(opened("{}\n", key).error().what, "this is no DSSE envelope with one signature");
}

TEST(Envelope, IsNotOpenedWithoutTheSignatureOverItsBytes) {
  const Key key = *Key::generate(Key::Type::ed25519);
  std::string text = *enveloped("{}", key);
  const std::string other = *enveloped("[]", key);
  text.replace(text.find("e30="), 4, "W10=");
  EXPECT_EQ(opened(text, key).error().what, "the signature is not by this key over these bytes");
  EXPECT_EQ(text_or_reason(opened(other, key)), "[]");
}

TEST(Base64, HasOneTextForEachBytes) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(text_or_reason(from_base64("Zm9vYmFy")), "foobar");
  for (const char* text : {"Zh==", "Zg=", "Zg", "Zm9v\n", " Zm9v", "Zm9=Zm9v", "Z*==", "====", "="})
    EXPECT_FALSE(from_base64(text)) << text;
}

TEST(Key, IsReadAsItWasWritten) {
  for (const auto type : {Key::Type::ed25519, Key::Type::p256}) {
    const Key key = *Key::generate(type);
    const std::string path = temporary_path(".key");
    std::ofstream(path) << key.private_pem();
    const auto read = Key::read_private(path);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->id(), key.id());
    EXPECT_FALSE(Key::read_public(path));
    std::ofstream(path) << key.public_pem();
    EXPECT_EQ(Key::read_public(path)->public_pem(), key.public_pem());
    EXPECT_EQ(Key::read_private(path).error().what, path + " has no private key in PEM without a password");
  }
}

TEST(Key, OfAnotherTypeIsNotTaken) {
  const std::string path = temporary_path(".pub");
  std::ofstream(path)
      << "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEAe8HhSBRhQDvyj8u0HDXlRXn0ckLVnBYNQAiItUxjrTc=\n"
         "-----END PUBLIC KEY-----\n";  // X25519
  EXPECT_EQ(Key::read_public(path).error().what, path + " is neither Ed25519 nor P-256");
}

}  // namespace
}  // namespace certile::conformance
