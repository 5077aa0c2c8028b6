#!/usr/bin/env python3
"""The atlas, asked of a backend that is right.   atlas_test.py CERTILE ROOT"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

program, root = sys.argv[1:3]
sys.path.insert(0, str(Path(root, "backends/worker/adapters")))
import atlas  # noqa: E402, from the path above

HEADER = {"claim": {"name": "mine", "version": "1|2", "operators": ["onnx-tile-13", "onnx-tile-1"], "max_rank": 8,
                    "max_elements": None, "max_bytes": None}, "certile": "0.1.0"}


def record(literal, **fields):
    return {"case": literal, "operator": literal.split()[0], "exercised": [], **fields}


class Atlas(unittest.TestCase):
    def test_every_case_is_spelled_as_certile_spells_it_and_a_right_backend_does_as_due(self):
        with tempfile.TemporaryDirectory() as scratch:
            corpus, records = Path(scratch, "probes.tile"), Path(scratch, "records.jsonl")
            corpus.write_text(subprocess.run([sys.executable, atlas.__file__, "corpus"], capture_output=True, text=True,
                                             check=True).stdout, encoding="utf-8")
            subprocess.run([program, "certify", "scalar", "--corpus", corpus, "--records", records], check=True, capture_output=True)
            runs = atlas.runs_in(records)
        asked = {f"{operator} {literal}" for operator in atlas.OPERATORS for _, probes in atlas.tables() for literal, _ in probes}
        self.assertEqual(asked - {each["case"] for _, answers in runs for each in answers}, set())
        page = "\n".join(atlas.page(runs, "2026-01-01"))
        self.assertNotIn("**", page.split("## Repeats that are special")[1])
        self.assertEqual(page.count("open: gave c64[6]"), 1)

    def test_a_difference_has_a_number_under_which_its_case_and_clause_stand(self):
        literal = "onnx-tile-13 f32[3] x i64{-1}"
        failure = record(literal, verdict="fail", fault="accepted", violated="ONNX-T13-X3", explanation="gave f32[0]\nmore")
        page = "\n".join(atlas.page([(HEADER, [failure])], "2026-01-01"))
        self.assertIn("| mine | onnx-tile-13 | – | **accepts** [1](#differences) |", page)
        self.assertIn(f"| 1 | mine | `{literal}` | ONNX-T13-X3 | gave f32[0] |", page)

    def test_refusals_that_are_due_and_what_was_not_run_have_words_of_their_own(self):
        answers = [record("onnx-tile-13 f32[3] x i64{-1}", verdict="pass", exercised=["CT-REFUSE"]),
                   record("onnx-tile-13 f32[3] x i64{}", verdict="not-run")]
        page = "\n".join(atlas.page([(HEADER, answers)], "2026-01-01"))
        self.assertIn("| mine | onnx-tile-13 | – | refuses | – | – | – | not run |", page)
        self.assertIn("| mine | 1\\|2 | rank 8 |", page)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
