#!/usr/bin/env python3
"""Follows a certificate from a kernel's author to a stranger, and compares its signature with those of other programs.

    certificate_test.py BUILD ROOT CC [UNITTEST OPTION...]

The signature is compared with the `openssl` command line, and with in-toto's Python libraries if ROOT/build/environments has
`signing`.
"""
import base64
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, ROOT, CC = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
CERTILE = BUILD / "bin/certile"
OTHER = ROOT / "build/environments/signing/bin/python"
PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES C)
enable_testing()
find_program(CERTILE certile REQUIRED)
find_path(HEADER certile_plugin.h REQUIRED)
add_library(mine MODULE mine.c)
target_include_directories(mine PRIVATE ${HEADER})
add_test(NAME conforms COMMAND ${CERTILE} certify $<TARGET_FILE:mine> --html page.html --bundle certificate --sign $ENV{SIGNING_KEY})
"""
# A certificate needs the tier core; of a claim of few elements it has some thirty thousand short cases.
FEW = {"TYPES": "u8", "MAX_RANK": "3", "MAX_ELEMENTS": "100"}
LIBRARY = BUILD / "test_plugins/limited.so"
LIMITED = [LIBRARY, *(word for name, value in FEW.items() for word in ("--env", f"{name}={value}"))]
PATIENCE = 600


def run(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE, check=False, **options)


class Folder(unittest.TestCase):
    """A test with a folder for its files."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="a certificate "))
        self.addCleanup(shutil.rmtree, self.folder)

    def expect(self, code, *words, **options):
        done = run(*words, cwd=self.folder, **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done


class Toy(Folder):
    """A repository with a kernel in C, which a pipeline builds, tests and signs."""

    def setUp(self):
        super().setUp()
        example = (ROOT / "backends/plugin/example.c").read_text(encoding="utf-8")
        rank = "plugin->max_rank = MOST_AXES;"
        self.assertIn(rank, example)
        few = f"plugin->max_rank = {FEW['MAX_RANK']}; plugin->max_elements = {FEW['MAX_ELEMENTS']}; plugin->types = \"{FEW['TYPES']}\";"
        self.kernel = example.replace(rank, few)
        (self.folder / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
        self.expect(0, CERTILE, "keygen", "ci")
        self.environment = os.environ | {"PATH": f"{CERTILE.parent}:{os.environ['PATH']}",
                                         "SIGNING_KEY": str(self.folder / "ci.key")}
        self.certificate = self.folder / "build/certificate"

    def pipeline(self, code, kernel):
        (self.folder / "mine.c").write_text(kernel, encoding="utf-8")
        self.expect(0, "cmake", "-G", "Ninja", "-S", ".", "-B", "build", f"-DCMAKE_C_COMPILER={CC}",
                    f"-DCMAKE_INCLUDE_PATH={ROOT / 'backends/plugin'}", env=self.environment)
        self.expect(0, "cmake", "--build", "build", env=self.environment)
        return self.expect(code, "ctest", "--test-dir", "build", "--output-on-failure", env=self.environment)

    def verify(self, code, where, *words):
        return self.expect(code, CERTILE, "verify", where, *words).stdout

    def test_fails_while_it_is_wrong_and_is_certified_once_it_is_right(self):
        said = self.pipeline(8, self.kernel.replace("times[axis] < 0", "times[axis] < -1")).stdout
        self.assertRegex(said, r"NOT CONFORMANT \(.*violated: ONNX-T13-")
        self.assertRegex(said, r"certile run '.*libmine\.so' 'onnx-tile-13 ")
        self.assertIn("no certificate is written, because it is NOT CONFORMANT", said)
        self.assertFalse(self.certificate.exists())
        page = (self.folder / "build/page.html").read_text(encoding="utf-8")
        self.assertIn("✗ NOT CONFORMANT", page)

        self.pipeline(0, self.kernel)
        elsewhere = self.folder / "another machine"
        elsewhere.mkdir()
        shutil.copytree(self.certificate, elsewhere / "bundle")
        shutil.copy(self.folder / "ci.pub", elsewhere)
        shutil.copy(self.folder / "build/libmine.so", elsewhere / "received.so")
        key = ("--key", elsewhere / "ci.pub")
        said = self.verify(0, elsewhere / "bundle", *key, "--binary", elsewhere / "received.so")
        self.assertRegex(said, r"holds  statement +example \S+: onnx-tile-13: CONFORMANT")
        self.assertRegex(said, r"holds  binary +.*received\.so is ")
        self.verify(0, elsewhere / "bundle", *key, "--replay", elsewhere / "received.so", "--replay-seed", "7")
        self.verify(0, elsewhere / "bundle/statement.dsse.json", *key)

        said = self.verify(1, elsewhere / "bundle", *key, "--binary", elsewhere / "ci.pub")
        self.assertRegex(said, "WRONG  binary +the certificate is not about ")
        self.every_edit_is_rejected(elsewhere / "bundle", key)

    def every_edit_is_rejected(self, bundle, key):
        for path in sorted(bundle.iterdir()):
            right = path.read_bytes()
            path.write_bytes(right[:-2] + bytes([right[-2] ^ 1]) + right[-1:])
            self.assertIn(path.name if path.name != "MANIFEST.sha256" else "statement.dsse.json", self.verify(1, bundle, *key))
            path.unlink()
            self.assertRegex(self.verify(1, bundle, *key), f"WRONG  list .*{re.escape(path.name)}")
            path.write_bytes(right)
        (bundle / "another.txt").write_text("", encoding="utf-8")
        self.assertIn("another.txt is no file of a bundle", self.verify(1, bundle, *key))

    def test_is_asked_again_by_the_script_of_its_bundle(self):
        self.pipeline(0, self.kernel)
        said = self.expect(0, "sh", self.certificate / "repro.sh", env=self.environment).stdout
        self.assertIn("CONFORMANT (full", said)
        self.assertIn("plan.json: OK",
                      run("sha256sum", "-c", "MANIFEST.sha256", cwd=self.certificate).stdout)


class OneCertificate(Folder):
    """A certificate, made once."""

    made: Path
    said: str

    @classmethod
    def setUpClass(cls):
        cls.made = Path(tempfile.mkdtemp(prefix="made once "))
        cls.addClassCleanup(shutil.rmtree, cls.made)
        for name, jobs in (("one", "1"), ("two", "2")):
            done = run(CERTILE, "certify", *LIMITED, "--certificate", cls.made / f"{name}.json", "--bundle",
                       cls.made / f"{name}.bundle", "--jobs", jobs)
            assert done.returncode == 0, done.stdout + done.stderr
            cls.said = done.stdout
        for kind in ("ed25519", "p256"):
            done = run(CERTILE, "keygen", "--type", kind, cls.made / kind)
            assert done.returncode == 0, done.stderr

    def signed(self, key, statement="one.json"):
        self.expect(0, CERTILE, "sign", self.made / statement, "--key", f"{key}.key", "--output", self.folder / "signed.json")
        return self.folder / "signed.json"

    def test_has_the_same_bytes_for_one_job_and_for_two(self):
        self.assertEqual((self.made / "one.json").read_bytes(), (self.made / "two.json").read_bytes())
        for path in (self.made / "one.bundle").iterdir():
            self.assertEqual(path.read_bytes(), (self.made / "two.bundle" / path.name).read_bytes(), path.name)

    def test_has_the_same_bytes_for_two_merged_shards(self):
        for shard in ("1", "2"):
            self.expect(0, CERTILE, "certify", *LIMITED, "--shard", f"{shard}/2", "--records", f"{shard}.jsonl", "-q")
        self.expect(0, CERTILE, "merge", "1.jsonl", "2.jsonl", "--records", "both.jsonl", "--certificate", "both.json", "-q")
        self.assertEqual((self.folder / "both.json").read_bytes(), (self.made / "one.json").read_bytes())

    def test_is_about_the_library_and_names_every_file_that_was_loaded(self):
        statement = json.loads((self.made / "one.json").read_bytes())
        self.assertEqual([each["name"] for each in statement["subject"]], ["limited"])
        loaded = statement["subject"] + statement["predicate"]["configuration"][0]["annotations"]["loaded"]
        files = {each["digest"]["sha256"]: each["name"] for each in loaded}
        linked = run("ldd", LIBRARY).stdout
        paths = [LIBRARY, *map(Path, re.findall(r"(/\S+\.so\S*)", linked))]
        self.assertGreater(len(paths), 1)
        for path in paths:
            self.assertIn(hashlib.sha256(path.read_bytes()).hexdigest(), files, path)
            code = 0 if path == LIBRARY else 1
            self.expect(code, CERTILE, "verify", self.made / "one.bundle", "--binary", path)

    def test_begins_with_a_line_that_is_printed_as_well(self):
        statement = json.loads((self.made / "one.json").read_bytes())
        line = statement["predicate"]["configuration"][0]["annotations"]["summary"]
        self.assertIn(f"certificate: {line}; not signed\n", self.said)
        self.assertRegex(line, "^limited .*: onnx-tile-13: CONFORMANT .* claim: .* tier core")

    def test_is_the_one_that_the_records_of_the_bundle_give(self):
        self.expect(0, CERTILE, "report", self.made / "one.bundle", "--certificate", "again.json", "--quiet")
        self.assertEqual((self.folder / "again.json").read_bytes(), (self.made / "one.json").read_bytes())

    def test_proves_nothing_without_a_signature(self):
        self.assertIn("a statement without a signature", self.expect(2, CERTILE, "verify", self.made / "one.json").stderr)
        self.assertRegex(self.expect(0, CERTILE, "verify", self.made / "one.bundle").stdout, "signature +none: ")

    def test_a_private_key_is_its_owners_alone_and_is_never_written_over(self):
        self.assertEqual(stat.S_IMODE((self.made / "p256.key").stat().st_mode), 0o600)
        self.assertIn("File exists", self.expect(2, CERTILE, "keygen", self.made / "p256").stderr)

    def test_openssl_verifies_what_certile_signs(self):
        for kind in ("ed25519", "p256"):
            envelope = json.loads(self.signed(self.made / kind).read_bytes())
            payload = base64.b64decode(envelope["payload"])
            self.assertEqual(payload, (self.made / "one.json").read_bytes())
            (self.folder / "pae").write_bytes(pae(envelope["payloadType"], payload))
            (self.folder / "signature").write_bytes(base64.b64decode(envelope["signatures"][0]["sig"]))
            self.openssl_verifies(kind, self.made / f"{kind}.pub", 0)
            (self.folder / "pae").write_bytes(pae(envelope["payloadType"], payload + b" "))
            self.openssl_verifies(kind, self.made / f"{kind}.pub", 1)

    def openssl_verifies(self, kind, key, code):
        words = ["pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-in", "pae", "-sigfile", "signature"]
        if kind == "p256":
            words = ["dgst", "-sha256", "-verify", key, "-signature", "signature", "pae"]
        self.expect(code, "openssl", *words)

    def test_certile_verifies_what_openssl_signs(self):
        kinds = (["-algorithm", "ed25519"], ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])
        for kind in kinds:
            self.expect(0, "openssl", "genpkey", *kind, "-out", "own.key")
            self.expect(0, "openssl", "pkey", "-in", "own.key", "-pubout", "-out", "own.pub")
            payload = (self.made / "one.json").read_bytes()
            (self.folder / "pae").write_bytes(pae("application/vnd.in-toto+json", payload))
            words = ["pkeyutl", "-sign", "-inkey", "own.key", "-rawin", "-in", "pae", "-out", "signature"]
            if "EC" in kind:
                words = ["dgst", "-sha256", "-sign", "own.key", "-out", "signature", "pae"]
            self.expect(0, "openssl", *words)
            signature = base64.b64encode((self.folder / "signature").read_bytes()).decode()
            envelope = {"payload": base64.b64encode(payload).decode(), "payloadType": "application/vnd.in-toto+json",
                        "signatures": [{"keyid": self.key_id("own.pub"), "sig": signature}]}
            (self.folder / "own.json").write_text(json.dumps(envelope, separators=(",", ":")) + "\n", encoding="utf-8")
            self.assertIn("VERIFIED", self.expect(0, CERTILE, "verify", "own.json", "--key", "own.pub").stdout)

    def key_id(self, path):
        der = subprocess.run(["openssl", "pkey", "-pubin", "-in", path, "-outform", "DER"], cwd=self.folder, check=True,
                             capture_output=True).stdout
        return hashlib.sha256(der).hexdigest()

    @unittest.skipUnless(OTHER.exists(), "build/environments/signing is not there")
    def test_the_libraries_of_in_toto_verify_what_certile_signs(self):
        script = ROOT / "tools/certificate/other_signer.py"
        for kind in ("ed25519", "p256"):
            signed, key = self.signed(self.made / kind), self.made / f"{kind}.pub"
            self.assertEqual(self.expect(0, OTHER, script, "verify", signed, key, self.key_id(key)).stdout, "limited\n")
            other = self.made / ("p256.pub" if kind == "ed25519" else "ed25519.pub")
            self.expect(1, OTHER, script, "verify", signed, other, self.key_id(key))

    @unittest.skipUnless(OTHER.exists(), "build/environments/signing is not there")
    def test_certile_verifies_what_the_libraries_of_in_toto_sign(self):
        script = ROOT / "tools/certificate/other_signer.py"
        for kind in ("ed25519", "p256"):
            public = self.made / f"{kind}.pub"
            done = self.expect(0, OTHER, script, "sign", self.made / "one.json", self.made / f"{kind}.key", self.key_id(public))
            (self.folder / "theirs.json").write_text(done.stdout, encoding="utf-8")
            self.expect(0, CERTILE, "verify", "theirs.json", "--key", public)
            self.expect(1, CERTILE, "verify", "theirs.json", "--key", self.made / ("p256.pub" if kind == "ed25519" else "ed25519.pub"))


def pae(kind, payload):
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
