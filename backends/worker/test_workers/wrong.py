"""A worker that is wrong in one way: wrong.py WAY.  It is wrong only for data of shape [7]."""
import json
import os
import signal
import subprocess
import sys
import time

import speak

way = sys.argv[1]
hello = dict(speak.HELLO)
if way == "no_infer":
    hello["infer"] = "no"
if way == "claims_nothing":
    del hello["types"]
if way == "dies_at_start":
    sys.exit("there is no such runtime")
if way == "greets":
    speak.write(b"Welcome!\n")


def the_call(words):
    return words.get("data.shape") == "7"


def end(words):
    """Ends, or sends an invalid answer."""
    if way == "exits":
        print("this is the end", file=sys.stderr)
        os._exit(3)
    if way == "exits_0":
        os._exit(0)
    if way == "segfaults":
        os.kill(os.getpid(), signal.SIGSEGV)
    if way == "leaves_a_child":
        subprocess.Popen(["sleep", "1000"], stdout=speak.answers.fileno())
        os._exit(3)
    if way == "kills_its_parent":
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)
    if way == "hangs":
        time.sleep(1000)
    if way == "stops_halfway":
        speak.write(speak.message({"seq": words["seq"]}, {"out": ("U8", [1000], b"")})[:20])
        time.sleep(1000)
    if way == "prints":
        speak.write(b"computing 7\n")
    if way == "prints_a_newline":
        speak.write(b"\n")


while True:
    words, tensors = speak.read_message_and_drop_the_rest() if way == "reads_too_much" else speak.read_message()
    said, sent = {"status": "ok"}, {}
    if words.get("cmd") == "hello":
        said = dict(hello)
    elif words.get("cmd") == "time":
        if the_call(words):
            end(words)
        turns = range(int(words["repetitions"]) - (1 if way == "times_too_few" else 0))
        start = -1000 if way == "times_negative" else 1000
        nanoseconds = b"".join((start + turn).to_bytes(8, "little", signed=True) for turn in turns)
        sent = {"nanoseconds": ("I64", [len(turns)], nanoseconds)}
        if way == "does_not_time":
            said, sent = {"status": "unsupported", "why": "it has no clock"}, {}
    elif words.get("cmd") in ("infer", "run"):
        said, sent = speak.right_answer(words, tensors)
        is_run = words["cmd"] == "run"
        if the_call(words):
            end(words)
            if way == "another_shape" and is_run:
                said["out.shape"], sent = "1", {"out": ("U8", [1], sent["out"][2][:1])}
            if way == "infers_another_shape" and not is_run:
                said["shape"] = "9"
            if way == "another_type" and is_run:
                said["out.type"] = "i8"
            if way == "no_output" and is_run:
                sent = {}
            if way == "no_status":
                del said["status"]
            if way == "rejects":
                said, sent = {"status": "rejected", "why": "I do not like seven"}, {}
    is_another = (way == "another_seq" and the_call(words)) or (way == "never_answers_its_seq" and "op" in words)
    said["seq"] = "5000" if is_another else words["seq"]
    content = speak.message(said, sent)
    if the_call(words):
        if way == "big_endian":
            content = content[7::-1] + content[8:]
        if way == "number_in_words":
            text = json.dumps({"__metadata__": {**said, "rank": 1}}).encode()
            content = len(text).to_bytes(8, "little") + text
        if way == "sends_far_too_much" and words["cmd"] == "run":
            said["seq"] = words["seq"]
            out = {"dtype": "U8", "shape": [6 << 30], "data_offsets": [0, 6 << 30]}
            text = json.dumps({"__metadata__": {**said, "out.shape": str(6 << 30)}, "out": out}).encode()
            speak.write(len(text).to_bytes(8, "little") + text)
            while True:
                speak.write(bytes(1 << 20))
        if way == "says_it_twice":
            content += content
    if way == "is_noisy":
        print("noise " * 4000, file=sys.stderr)
    speak.write(content)
    if words.get("cmd") == "bye":
        sys.exit(0)
