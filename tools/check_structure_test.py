#!/usr/bin/env python3
"""Breaks each rule of check_structure.py once, on a small separate tree."""
import contextlib
import io
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import check_structure

PAGE = """# openvino-tile-1

## OV-T1-R1 promote-data
kind: normative
testable: yes
source: page, section, sentence

More repeats than dimensions: data gets leading ones.

    openvino-tile-1 f32[2] x i64{2,2} => f32[2,4]

## OV-T1-G1 versioned-name
kind: informative
testable: no (nothing to run)
"""
GOOD = {
    "reference/spec/openvino-tile-1.md": PAGE,
    "reference/CMakeLists.txt": "certile_part(reference/values)\ncertile_part(reference/oracle LINKS reference/values)\n",
    "backends/CMakeLists.txt": "certile_part(backends/plugin LINKS\n  reference/oracle some::library)\n",
    "backends/plugin/test_plugins/CMakeLists.txt": "",
    "backends/plugin/test_plugins/simd.cpp": '#include "backends/kernel/tile.hpp"\n',
    "reference/values/case.cpp": '#include "backends/plugin/certile_plugin.h"\n',
    "reference/oracle/promote.cpp": '#include "reference/oracle/promote.hpp"\n#include <vector>\n// [OV-T1-R1] data gets leading ones\n',
    "reference/oracle/promote.hpp": "#pragma once\n",
    "backends/builtin/scalar.cpp": '#include <Eigen/Core>\n#include "reference/oracle/promote.hpp"\n',
    "conformance/judge/judge.cpp": '#include "backends/scalar.hpp"\n',
    "bench/main.cpp": '#include "conformance/judge/judge.hpp"\n',
    "README.md": "Run ./dev certify, and read [this](docs/ci.md).\n",
    "docs/ci.md": "Run it.\n",
    "dev": "command_certify() {\n",
}


class RulesTest(unittest.TestCase):
    """A test of rules: each test breaks one of them once."""
    rules: list
    good: dict[str, str]
    broken: set[str]  # the rules that found something

    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        git = unittest.mock.patch("shutil.which", return_value=None)
        git.start()
        self.addCleanup(git.stop)
        for path, text in self.good.items():
            self.write(path, text)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def append(self, path, text):
        self.write(path, (self.root / path).read_text(encoding="utf-8") + text)

    def expect(self, *parts):
        """Expects one finding, with these words, and notes its rule."""
        tree = check_structure.Tree(self.root)
        found = [(rule.__name__, finding) for rule in self.rules for finding in rule(tree)]
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0][1])
        self.broken.add(found[0][0])

    def expect_nothing(self):
        self.assertEqual(check_structure.findings(self.root, self.rules), [])

    def breaks_every_rule(self):
        """Runs every other test, and expects that they break all rules."""
        self.broken.clear()
        for name in dir(self):
            if name.startswith("test_") and name != self._testMethodName:
                type(self)(name).run(unittest.TestResult())
        self.assertEqual(self.broken, {rule.__name__ for rule in self.rules})


class CheckStructure(RulesTest):
    rules, good, broken = check_structure.RULES, GOOD, set()

    def limit(self):
        """Gives each part the lines that it has."""
        self.write("tools/limits_by_part.txt", "# the most lines\nreference  5  # 2\nbackends conformance  4\n\nbench dev  2\n")

    def test_a_good_tree_has_no_finding(self):
        self.expect_nothing()

    def test_what_a_build_made_is_not_read(self):
        self.write("build/left/over.cpp", '#include "/no/such.hpp"\n// TO' 'DO\n')
        self.expect_nothing()

    @unittest.skipUnless(shutil.which("git"), "git is not installed")
    def test_git_says_which_files_belong_to_the_product(self):
        unittest.mock.patch.stopall()
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.write(".gitignore", "left/\n")
        self.write("left/over.cpp", '#include "/no/such.hpp"\n// TO' 'DO\n')
        self.expect_nothing()

    def test_an_include_that_points_up(self):
        self.append("reference/oracle/promote.hpp", '#include "backends/plugin/plugin.hpp"\n')
        self.expect("reference/oracle/promote.hpp:2", "backends/plugin/plugin.hpp", "the direction is")

    def test_an_include_that_a_part_does_not_link(self):
        self.append("reference/values/case.cpp", '#include "reference/oracle/promote.hpp"\n')
        self.expect("reference/values/case.cpp:2", "certile_part(reference/values ...) does not link reference/oracle")

    def test_an_include_that_a_part_links_through_another(self):
        self.write("backends/plugin/claim.cpp", '#include "reference/values/case.hpp"\n')
        self.expect_nothing()

    def test_a_test_may_include_all_of_its_folder(self):
        self.write("reference/values/case_test.cpp", '#include "reference/oracle/promote.hpp"\n')
        self.expect_nothing()

    def test_an_include_between_folders_of_one_level(self):
        self.append("bench/main.cpp", '#include "property_tests/generators.hpp"\n')
        self.expect("bench/main.cpp:2", "the direction is")

    def test_an_include_that_climbs(self):
        self.append("backends/builtin/scalar.cpp", '#include "../reference/oracle/promote.hpp"\n')
        self.expect("backends/builtin/scalar.cpp:3", "a path from the root")

    def test_a_library_in_reference(self):
        self.append("reference/oracle/promote.cpp", "#include <fmt/core.h>\n")
        self.expect("reference/oracle/promote.cpp:4", "<fmt/core.h>", "standard library")

    def test_a_library_in_a_test_of_reference_is_allowed(self):
        self.write("reference/oracle/promote_test.cpp", "#include <gtest/gtest.h>\n")
        self.expect_nothing()

    def test_the_namespace_of_another_folder(self):
        self.append("reference/oracle/promote.hpp", "namespace certile {\n")
        self.expect("reference/oracle/promote.hpp:2: opens certile;", "is certile::oracle")

    def test_the_namespaces_of_folders(self):
        self.append("reference/oracle/promote.hpp", "namespace certile::oracle {\n")
        self.append("bench/main.cpp", "namespace certile::bench {\n")
        self.write("reference/values/tensor.hpp", "namespace certile {\n")
        self.expect_nothing()

    def test_a_file_that_is_too_long(self):
        self.append("bench/main.cpp", "\n" * 600)
        self.expect("bench/main.cpp: 601 lines, at most 600")

    def test_a_decision_that_is_too_long(self):
        self.write("docs/adr/0001-one.md", "\n" * 86)
        self.expect("docs/adr/0001-one.md: 86 lines, at most 85")

    def test_a_part_that_grows_beyond_its_limit(self):
        self.limit()
        self.append("reference/oracle/promote.hpp", "// one more\n")
        self.expect("tools/limits_by_part.txt: reference has 6 lines, at most 5")

    def test_a_part_of_several_folders_that_grows(self):
        self.limit()
        self.append("conformance/judge/judge.cpp", "\n\n")
        self.expect("tools/limits_by_part.txt: backends conformance has 5 lines, at most 4")

    def test_a_file_that_belongs_to_no_part(self):
        self.limit()
        self.write("property_tests/search.cpp", "\n")
        self.expect("property_tests/search.cpp: belongs to no part of tools/limits_by_part.txt")

    def test_tests_do_not_count(self):
        self.limit()
        for path in ("reference/values/case_test.cpp", "backends/worker/python/tests/odd.py", "conformance/testing/runs.cpp"):
            self.write(path, "\n" * 9)
        self.expect_nothing()

    def test_a_banned_word(self):
        self.append("docs/ci.md", "A " + check_structure.BANNED[0].lower() + ".\n")
        self.expect("docs/ci.md:2", "does not belong")

    def test_a_private_path(self):
        self.append("docs/ci.md", "Look in /" + "home/somebody.\n")
        self.expect("docs/ci.md:2", "does not belong")

    def test_an_id_given_twice(self):
        self.write("reference/spec/onnx-tile-13.md", "## OV-T1-G1 again\nkind: normative\ntestable: no (nothing to run)\n")
        self.expect("OV-T1-G1 is the id of", "as well")

    def test_pages_without_a_clause(self):
        for page in (self.root / "reference/spec").iterdir():
            page.write_text("# nothing\n", encoding="utf-8")
        self.expect("no page has a clause")

    def test_a_clause_without_a_kind(self):
        self.write("reference/spec/openvino-tile-1.md", PAGE.replace("kind: informative\n", ""))
        self.expect("OV-T1-G1 has no line 'kind:'")

    def test_a_clause_that_is_untestable_without_a_reason(self):
        self.write("reference/spec/openvino-tile-1.md", PAGE.replace("no (nothing to run)", "no"))
        self.expect("OV-T1-G1 needs 'testable: yes' or")

    def test_a_testable_clause_that_no_code_cites(self):
        self.write("reference/oracle/promote.cpp", "#include <vector>\n")
        self.expect("no line of code cites [OV-T1-R1]")

    def test_a_citation_in_a_test_is_not_enough(self):
        self.write("reference/oracle/promote.cpp", "#include <vector>\n")
        self.write("reference/oracle/promote_test.cpp", "// [OV-T1-R1]\n")
        self.expect("no line of code cites [OV-T1-R1]")

    def test_a_citation_of_an_unknown_clause(self):
        self.append("backends/builtin/scalar.cpp", "// [OV-T1-R7] nobody wrote it\n")
        self.expect("backends/builtin/scalar.cpp:3: [OV-T1-R7] is no clause")

    def test_a_testable_clause_without_a_case(self):
        self.write("reference/spec/openvino-tile-1.md", PAGE.replace("    openvino-tile-1", "    see"))
        self.expect("OV-T1-R1 is testable, but has no example")

    def test_a_corpus_line_is_a_case(self):
        self.write("reference/spec/openvino-tile-1.md", PAGE.replace("    openvino-tile-1", "    see"))
        self.write("conformance/plan/corpora/smoke.tile", "openvino-tile-1 f32[2] x i64{2,2} # OV-T1-R1\n")
        self.expect_nothing()

    def test_a_testable_clause_without_a_mutant(self):
        self.write("docs/mutants.md", "| M01 | is wrong | smoke | OV-T1-R2 |\n")
        self.expect("OV-T1-R1 is testable, but no mutant breaks it")

    def test_a_clause_with_a_mutant(self):
        self.write("docs/mutants.md", "| M01 | is wrong | smoke | OV-T1-R1 |\n")
        self.expect_nothing()

    def test_the_id_of_a_clause_in_code(self):
        self.append("backends/builtin/scalar.cpp", 'const char* clause = "OV-T1-R1";\n')
        self.expect("backends/builtin/scalar.cpp:3: the id OV-T1-R1 is for pages")

    def test_the_id_of_a_clause_in_a_comment(self):
        self.append("backends/builtin/scalar.cpp", '// "OV-T1-R1", for one\n')
        self.expect_nothing()

    def test_a_definition_that_is_special(self):
        self.write("reference/values/definitions.inc",
                   'DEFINITION(onnx_tile_1, "onnx-tile-1", "ONNX-T1", CERTILE_ONNX_TILE_1, tiles_along_axis, utf8)\n')
        self.append("backends/builtin/scalar.cpp", "if (call.op == CERTILE_ONNX_TILE_1) return;\n")
        self.expect("backends/builtin/scalar.cpp:3: CERTILE_ONNX_TILE_1 is one definition")

    def test_a_link_that_leads_nowhere(self):
        self.append("README.md", "[gone](docs/gone.md)\n")
        self.expect("README.md:2: the link to docs/gone.md leads nowhere")

    def test_a_command_in_a_part_of_the_script(self):
        self.write("tools/dev/mend.sh", "command_mend() {\n  true\n}\n")
        self.append("README.md", "Then ./dev mend.\n")
        self.expect_nothing()

    def test_a_command_that_the_script_does_not_have(self):
        self.append("README.md", "Then ./dev bake.\n")
        self.expect("README.md:2: ./dev has no command 'bake'")

    def test_a_file_that_is_not_there(self):
        self.append("README.md", "As in `backends/builtin/scalar.cpp`, in `backends/builtin/` and in `backends/gone.cpp`.\n")
        self.expect("README.md:2: there is no backends/gone.cpp")

    def test_a_file_that_the_map_names_without_its_folder(self):
        self.write("docs/map.md", "In `scalar.cpp`, then in `values/gone.hpp`.\n")
        self.expect("docs/map.md:1: there is no gone.hpp")

    def test_a_file_that_was_there_when_it_was_decided(self):
        self.write("docs/adr/0001-once.md", "It was in `backends/gone.cpp`.\n")
        self.expect_nothing()

    def test_an_excerpt_that_is_not_in_its_file(self):
        self.write("conformance/judge/judge.cpp", "Finding find() {\n  return {};\n}\n")
        excerpt = "`conformance/judge/judge.cpp`\n\n```cpp\nFinding find() {\n  return {};\n```\n"
        self.write("docs/ci.md", excerpt)
        self.expect_nothing()
        self.write("docs/ci.md", excerpt.replace("return {}", "return 1"))
        self.expect("docs/ci.md: conformance/judge/judge.cpp has no line 'return 1;' there")

    def test_json_that_is_parsed_without_limits(self):
        self.append("conformance/judge/judge.cpp", "Json json = Json::parse(text);\n")
        self.expect("conformance/judge/judge.cpp:2: JSON is parsed by foreign_json(), which has limits")

    def test_the_links_of_a_folder_alone(self):
        self.append("docs/ci.md", "[gone](gone.md) [there](../README.md) [elsewhere](https://a.page/)\n")
        self.append("bench/main.cpp", "\n" * 600)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            self.assertEqual(check_structure.report(self.root / "docs", [check_structure.links_lead_somewhere]), 1)
        self.assertEqual(printed.getvalue(), "ci.md:2: the link to gone.md leads nowhere\n1 findings by 1 rules\n")

    def test_every_rule_is_broken_by_one_of_these(self):
        self.breaks_every_rule()


if __name__ == "__main__":
    unittest.main()
