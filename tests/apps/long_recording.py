#!/usr/bin/env python3
"""Segments a long bag, and the same scans as .bin files.

long_recording.py PROGRAM FOLDER: makes a bag of ROS 1 with 2000 clouds in FOLDER. It must take no
more memory than its records do, at most 1.3 times as long as .bin files, and give the same labels,
also where the run was killed and resumed.
"""
import json
import os
import resource
import shutil
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

MESSAGES = 2000
SCENES = 8  # different scans among them
POINTS = 20000
CHUNK_MESSAGES = 4
MOST_RATIO = 1.3
MOST_KB_PER_MESSAGE = 10  # of memory: the frame's record, and its lines in the summary
MOST_KB_MORE = 8 * 1024  # of memory, than .bin files; the bag has 640 MB, a message 0.3 MB
TRIES = 3  # of the times, on a machine that does other things, too


def field(name, value):
    return struct.pack("<I", len(name) + 1 + len(value)) + name.encode() + b"=" + value


def record(fields, data):
    header = b"".join(field(name, value) for name, value in fields)
    return struct.pack("<I", len(header)) + header + struct.pack("<I", len(data)) + data


def text(value):
    return struct.pack("<I", len(value)) + value.encode()


def cloud(number, stamp, points):
    """sensor_msgs/PointCloud2 in the encoding of ROS 1."""
    count = len(points) // 16
    message = struct.pack("<III", number, *stamp) + text("lidar") + struct.pack("<II", 1, count)
    message += struct.pack("<I", 4)
    for offset, name in enumerate(("x", "y", "z", "intensity")):
        message += text(name) + struct.pack("<IBI", 4 * offset, 7, 1)
    return (message + struct.pack("<BIII", 0, 16, len(points), len(points)) + points + b"\1")


def write_bag(path, scans, messages):
    """With chunks and their indexes, without compression."""
    connection = record(
        [("op", b"\7"), ("conn", struct.pack("<I", 0)), ("topic", b"/points")],
        field("topic", b"/points") + field("type", b"sensor_msgs/PointCloud2")
        + field("md5sum", b"1158d486dd51d683ce2f1be655c3c181") + field("message_definition", b""))

    def bag_header(index_at, chunks):
        fields = [("op", b"\3"), ("index_pos", struct.pack("<Q", index_at)),
                  ("conn_count", struct.pack("<I", 1)), ("chunk_count", struct.pack("<I", chunks))]
        size = 8 + sum(5 + len(name) + len(value) for name, value in fields)
        return record(fields, b" " * (4096 - size))

    infos = []
    with open(path, "wb") as out:
        out.write(b"#ROSBAG V2.0\n" + bag_header(0, 0))
        for first in range(0, messages, CHUNK_MESSAGES):
            stamps = [(1700000000 + k // 10, k % 10 * 10**8)
                      for k in range(first, min(messages, first + CHUNK_MESSAGES))]
            data, index = (connection if first == 0 else b""), b""
            for k, stamp in enumerate(stamps, first):
                index += struct.pack("<III", *stamp, len(data))
                data += record([("op", b"\2"), ("conn", struct.pack("<I", 0)),
                                ("time", struct.pack("<II", *stamp))],
                               cloud(k, stamp, scans[k % len(scans)]))
            infos.append(record(
                [("op", b"\6"), ("ver", struct.pack("<I", 1)),
                 ("chunk_pos", struct.pack("<Q", out.tell())),
                 ("start_time", struct.pack("<II", *stamps[0])),
                 ("end_time", struct.pack("<II", *stamps[-1])), ("count", struct.pack("<I", 1))],
                struct.pack("<II", 0, len(stamps))))
            out.write(record([("op", b"\5"), ("compression", b"none"),
                              ("size", struct.pack("<I", len(data)))], data))
            out.write(record([("op", b"\4"), ("ver", struct.pack("<I", 1)),
                              ("conn", struct.pack("<I", 0)),
                              ("count", struct.pack("<I", len(stamps)))], index))
        index_at = out.tell()
        out.write(connection + b"".join(infos))
        out.seek(13)
        out.write(bag_header(index_at, len(infos)))


def run(program, path, out, *options, kill_after=None):
    """Seconds and the largest memory [kB] of a run."""
    command = [str(word) for word in (program, "segment", path, "--save", "label", "--surface",
                                      "plane", "--out", out, "--quiet", *options)]
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    if kill_after is not None:
        records = out / "frames.jsonl"
        while not records.exists() or records.read_bytes().count(b"\n") < kill_after:
            assert process.poll() is None, "ended before it could be killed"
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    _, status, usage = os.wait4(process.pid, 0)
    assert kill_after is not None or status == 0, f"exit status {status}"
    return time.monotonic() - began, usage.ru_maxrss


def labels_of(run_folder):
    return [p.read_bytes() for p in sorted((run_folder / "sequences").rglob("*.label"))]


def main(program, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run([program, "synth", folder / "street", "--frames", str(SCENES),
                    "--points-per-frame", str(POINTS), "--no-images"], check=True,
                   stdout=subprocess.DEVNULL)
    files = sorted((folder / "street").rglob("*.bin"))
    assert len(files) == SCENES
    scans = [path.read_bytes() for path in files]
    (folder / "bins").mkdir()
    for k in range(MESSAGES):
        os.link(files[k % SCENES], folder / "bins" / f"{k:06}.bin")
    write_bag(folder / "long.bag", scans, MESSAGES)
    write_bag(folder / "short.bag", scans, MESSAGES // 10)

    _, short_kb = run(program, folder / "short.bag", folder / "of_short")
    ratios = []
    while not ratios or (min(ratios) > MOST_RATIO and len(ratios) < TRIES):
        for name in ("of_files", "of_bag"):
            shutil.rmtree(folder / name, ignore_errors=True)
        of_files, files_kb = run(program, folder / "bins", folder / "of_files")
        of_bag, long_kb = run(program, folder / "long.bag", folder / "of_bag")
        ratios.append(of_bag / of_files)
        print(f"{MESSAGES / of_bag:.0f} frames/s of the bag, {MESSAGES / of_files:.0f} of files; "
              f"{long_kb / 1024:.0f} and {files_kb / 1024:.0f} MB, of a tenth of the messages "
              f"{short_kb / 1024:.0f} MB")
    assert min(ratios) <= MOST_RATIO, f"{min(ratios):.2f} times the time of files"
    assert long_kb - files_kb <= MOST_KB_MORE, "the bag takes more memory than files"
    assert long_kb - short_kb <= MOST_KB_PER_MESSAGE * 0.9 * MESSAGES, "memory grows with the bag"
    labels = labels_of(folder / "of_bag")
    assert len(labels) == MESSAGES and labels == labels_of(folder / "of_files"), "other labels"

    killed = folder / "killed"
    run(program, folder / "long.bag", killed, kill_after=MESSAGES // 3)
    assert len((killed / "frames.jsonl").read_bytes().splitlines()) < MESSAGES
    run(program, folder / "long.bag", killed, "--resume")
    assert labels_of(killed) == labels, "other labels where it was resumed"
    names = [json.loads(line)["name"]
             for line in (killed / "frames.jsonl").read_text().splitlines()]
    assert len(names) == MESSAGES == len(set(names)), "a frame lost or done twice"
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
