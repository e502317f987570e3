"""VRSGT as the paper's stack would write it: numpy and mpi4py, one agent per rank or several.

The same algorithm, network, sizes and batch as bench/mpi_bench.cpp (16 agents, 4 x 1, whitened
l3 objective, batch 16): X and D travel in one message per neighbouring agent. Prints
"mpi4py RANKS iteration_us=...", the best of several repetitions. Needs Debian's python3-numpy and
python3-mpi4py; bench/mpi_bench.sh runs it.
"""

import sys
import time

import numpy as np
from mpi4py import MPI

AGENTS, POINTS, BATCH, STEP, BETA = 16, 7500, 16, 1e-3, 1.0


def read_network(path):
    """Whom every agent listens to (itself first), and with what weights; "mpi_bench network" prints them."""
    weights = np.loadtxt(path)
    heard = [[i] + [j for j in range(AGENTS) if j != i and weights[i, j] > 0] for i in range(AGENTS)]
    return heard, [weights[i, heard[i]] for i in range(AGENTS)]


def gradient(x, b):
    """Of -1/3 mean |x'b|^3, for a batch of columns b."""
    y = x @ b
    return -(b @ (y * np.abs(y))) / b.shape[1]


def direction(x, g):
    xx = x @ x
    return g * (1.5 - 0.5 * xx) - x * (x @ g) + BETA * x * (xx - 1)


def main():
    comm = MPI.COMM_WORLD
    ranks, rank = comm.Get_size(), comm.Get_rank()
    heard, weights = read_network(sys.argv[1])
    repetitions = int(sys.argv[2])
    iterations = 200
    owner = [i * ranks // AGENTS for i in range(AGENTS)]
    mine = [i for i in range(AGENTS) if owner[i] == rank]
    random = np.random.default_rng(rank)
    points = {i: random.standard_normal((4, POINTS)) for i in mine}
    for b in points.values():
        b /= np.linalg.norm(b, axis=0)
    x = {i: np.array([0.0, 0.0, 1.0, 0.0]) for i in mine}
    s = {i: direction(x[i], gradient(x[i], points[i])) for i in mine}
    d = {i: s[i].copy() for i in mine}
    inbox = {i: np.empty((len(heard[i]), 8)) for i in mine}

    def iterate():
        outgoing = {i: np.concatenate((x[i] - STEP * d[i], d[i])) for i in mine}
        requests = []
        for i in mine:
            for row, j in enumerate(heard[i]):
                if owner[j] == rank:
                    inbox[i][row] = outgoing[j]
                else:
                    requests.append(comm.Irecv(inbox[i][row], source=owner[j], tag=j * AGENTS + i))
                    requests.append(comm.Isend(outgoing[i], dest=owner[j], tag=i * AGENTS + j))
        MPI.Request.Waitall(requests)
        for i in mine:
            mixed = weights[i] @ inbox[i]
            before, x[i] = x[i], mixed[:4]
            batch = points[i][:, random.integers(POINTS, size=BATCH)]
            s_next = s[i] + direction(x[i], gradient(x[i], batch)) - direction(before, gradient(before, batch))
            d[i] = mixed[4:] + s_next - s[i]
            s[i] = s_next

    best = float("inf")
    for _ in range(repetitions):
        comm.Barrier()
        begin = time.perf_counter()
        for _ in range(iterations):
            iterate()
        best = min(best, (time.perf_counter() - begin) / iterations * 1e6)
    if rank == 0:
        print(f"mpi4py {ranks} iteration_us={best:.1f}")


if __name__ == "__main__":
    main()
