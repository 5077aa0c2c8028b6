#!/usr/bin/env python3
"""Shows that run_document.py runs what a document says, and reports what does not hold."""
import shutil
import tempfile
import unittest
from pathlib import Path

import run_document

FENCE = "```"


class RunDocument(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def findings(self, *parts):
        text = "\n".join(f"{FENCE}{head}\n{body}\n{FENCE}" for head, body in parts)
        (self.root / "page.md").write_text(text, encoding="utf-8")
        return list(run_document.run_document(self.root, self.root / "build", "page.md"))

    def test_a_command_that_works_is_no_finding(self):
        self.assertEqual(self.findings(("sh run", "true")), [])

    def test_a_command_that_fails_is_a_finding(self):
        self.assertEqual(self.findings(("sh run", "false\ntrue")), ["page.md:1: exit code 1, not 0"])

    def test_an_announced_exit_code_has_to_come(self):
        self.assertEqual(self.findings(("sh run exit=3", "exit 3")), [])
        self.assertEqual(self.findings(("sh run exit=3", "true")), ["page.md:1: exit code 0, not 3"])

    def test_a_block_whose_program_is_missing_is_not_run_nor_is_its_output_expected(self):
        self.assertEqual(self.findings(("sh run needs=no-such-program", "false"), ("text output", "ran")), [])
        self.assertEqual(self.findings(("sh run needs=bash", "false")), ["page.md:1: exit code 1, not 0"])
        self.assertEqual(len(self.findings(("sh run needs=no-such-program", "false"), ("sh run", "true"),
                                           ("text output", "ran"))), 1)

    def test_a_command_that_another_test_has_run_is_not_run_again(self):
        (self.root / "build").mkdir()
        (self.root / "build/said.txt").write_text("7 of 7\n", encoding="utf-8")
        self.assertEqual(self.findings(("sh run from=said.txt", "false"), ("text output", "7 of 7")), [])
        self.assertEqual(len(self.findings(("sh run from=said.txt", "true"), ("text output", "6 of 7"))), 1)

    def test_a_block_without_the_word_is_not_run(self):
        self.assertEqual(self.findings(("sh", "false")), [])

    def test_output_is_compared_but_for_its_gaps(self):
        self.assertEqual(self.findings(("sh run", "echo 'f32  [2]'"), ("text output", "f32 [2]")), [])
        self.assertEqual(len(self.findings(("sh run", "echo 'f32  [2]'"), ("text output", "f32 [3]"))), 1)

    def test_numbers_may_differ_where_the_block_says_so(self):
        self.assertEqual(self.findings(("sh run", "echo '7,240 pass  1.9 s'"),
                                       ("text output numbers=any", "12 pass 0.3 s")), [])

    def test_output_that_is_not_printed_is_a_finding(self):
        found = self.findings(("sh run", "echo fail"), ("text output", "pass"))
        self.assertEqual(len(found), 1)
        self.assertIn("was not printed: pass", found[0])

    def test_output_has_to_come_in_order(self):
        self.assertEqual(len(self.findings(("sh run", "echo b; echo a"), ("text output", "a\n...\nb"))), 1)

    def test_a_file_block_is_there_for_the_next_command(self):
        self.assertEqual(self.findings(("c file=mine.c", "int mine;"), ("sh run", "grep -q 'int mine' mine.c")), [])

    def test_the_steps_of_a_github_job_are_run(self):
        job = "steps:\n  - uses: actions/checkout@v4\n  - name: one\n    run: echo one\n  - run: |\n      echo two\n      false"
        self.assertEqual(run_document.job_commands(job), ["echo one", "echo two\nfalse"])
        self.assertEqual(self.findings(("yaml run", job)), ["page.md:1: exit code 1, not 0"])

    def test_a_set_up_step_of_a_github_job_is_not_run(self):
        job = "steps:\n  - name: Set up\n    run: false\n  - name: Do it\n    run: echo one\n  - run: echo two"
        self.assertEqual(run_document.job_commands(job), ["echo one", "echo two"])

    def test_the_script_of_a_gitlab_job_is_run_and_its_set_up_is_not(self):
        job = "tile:\n  before_script:\n    - false\n  script:\n    - echo one\n    - echo two\n  artifacts:\n    - x"
        self.assertEqual(run_document.job_commands(job), ["echo one", "echo two"])

    def test_the_test_command_is_not_run_by_itself(self):
        block = run_document.Block(1, "sh", ["run"], "./dev certify\n./dev test\n")
        self.assertEqual(run_document.commands_of(block), "./dev certify")


if __name__ == "__main__":
    unittest.main()
