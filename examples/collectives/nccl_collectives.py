"""Judges torch.distributed.all_reduce by NCCL, one process and one device a rank, and says which results differ: from
run to run, with other algorithms and protocols of NCCL, at other places in memory and in other chunks.

    python3 nccl_collectives.py [--ranks 2] [--formats f64,f32,f16,bf16] [--lengths 1,1000,100000]
"""

import argparse
import hashlib
import os
import socket
import time

import numpy
import torch
import torch.distributed as dist
import torch.multiprocessing as processes

import assay

KINDS = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
SETTINGS = [{}, {"NCCL_ALGO": "Tree"}, {"NCCL_ALGO": "Ring", "NCCL_PROTO": "LL"},
            {"NCCL_ALGO": "Ring", "NCCL_PROTO": "Simple"}]


class Ranks:
    """Rank 0 calls `all_reduce`, the others `serve`. Arrays travel through the host, apart from the all-reduce."""

    def __init__(self):
        self.rank = dist.get_rank()
        self.host = dist.new_group(backend="gloo")
        self.device = torch.device("cuda", self.rank)

    def all_reduce(self, x, kind, distance=0):
        """What the ranks get of x, ranks × n. All ranks of the program take part, or one alone. `distance`: of the
        arrays from an aligned address, in elements."""
        if len(x) == 1 or x.size == 0:
            return x
        bits = torch.from_numpy(numpy.ascontiguousarray(x).view("uint8"))
        head = torch.tensor([bits.shape[1], list(KINDS.values()).index(kind), distance])
        dist.broadcast(head, 0, group=self.host)
        dist.broadcast(bits, 0, group=self.host)
        every = [torch.empty_like(bits[0]) for _ in bits] if self.rank == 0 else None
        dist.gather(self._reduced(bits, kind, distance), every, 0, group=self.host)
        return torch.stack(every).numpy().view(x.dtype)

    def _reduced(self, bits, kind, distance):
        mine = bits[self.rank].to(self.device).view(kind)
        memory = torch.empty(len(mine) + distance, dtype=kind, device=self.device)
        memory[distance:] = mine
        dist.all_reduce(memory[distance:])
        return memory[distance:].cpu().contiguous().view(torch.uint8)

    def serve(self):
        while True:
            head = torch.empty(3, dtype=torch.int64)
            dist.broadcast(head, 0, group=self.host)
            width, kind, distance = head.tolist()
            if width < 0:
                return
            bits = torch.empty((dist.get_world_size(), width), dtype=torch.uint8)
            dist.broadcast(bits, 0, group=self.host)
            dist.gather(self._reduced(bits, list(KINDS.values())[kind], distance), None, 0, group=self.host)

    def end(self):
        dist.broadcast(torch.tensor([-1, 0, 0]), 0, group=self.host)


def contracts(ranks, options):
    for name in options.formats.split(","):
        kind = KINDS[name]
        for n in map(int, options.lengths.split(",")):
            began = time.monotonic()
            cases = 60 if n < 1000 else 20 if n == 1000 else 6
            verdict = assay.check(lambda x: ranks.all_reduce(x, kind), "all_reduce", format=name, cases=cases,
                                  shapes=[{"ranks": dist.get_world_size(), "n": n}], controls=False, shrink_steps=50)
            print(f"n = {n}, {verdict.cases} cases: {verdict.ladder}, {time.monotonic() - began:.1f} s", flush=True)
            for each in verdict.failures():
                print(f"  {each.id}: {each.verdict}", flush=True)


def digests(ranks, options):
    """A digest of the results of one array in each format and length: run again, elsewhere, and in two chunks."""
    draw = numpy.random.default_rng(1)
    told = []
    for name in options.formats.split(","):
        kind = KINDS[name]
        for n in map(int, options.lengths.split(",")):
            x = torch.from_numpy(draw.standard_normal((dist.get_world_size(), n))).to(kind)
            bits = x.view(torch.uint8).numpy() if x.dtype == torch.bfloat16 else x.numpy()
            results = {"again": ranks.all_reduce(bits, kind), "elsewhere": ranks.all_reduce(bits, kind, 3)}
            size = x.element_size() if bits.dtype == numpy.uint8 else 1
            half = (n + 1) // 2 * size
            parts = [ranks.all_reduce(bits[:, a:b].copy(), kind) for a, b in ((0, half), (half, n * size)) if a < b]
            results["in chunks"] = numpy.concatenate(parts, 1)
            first = ranks.all_reduce(bits, kind)
            different = [where for where, each in results.items() if each.tobytes() != first.tobytes()]
            one = "" if len({row.tobytes() for row in first}) == 1 else ", ranks differ"
            told.append(f"{name} {n}: {hashlib.sha256(first[0].tobytes()).hexdigest()[:12]}{one}"
                        + "".join(f", other bits {where}" for where in different))
    return told


def worker(rank, options, port, settings, first):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), **settings)
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", rank=rank, world_size=options.ranks)
    ranks = Ranks()
    if rank != 0:
        ranks.serve()
    else:
        try:
            print(f"settings {settings or 'as they are'}", flush=True)
            for line in digests(ranks, options):
                print("  " + line, flush=True)
            if first:
                contracts(ranks, options)
        finally:
            ranks.end()
    dist.destroy_process_group()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--formats", default="f64,f32,f16,bf16")
    parser.add_argument("--lengths", default="1,1000,100000")
    options = parser.parse_args()
    if torch.cuda.device_count() < options.ranks:
        print(f"skipped: {options.ranks} devices are needed, {torch.cuda.device_count()} found")
        return
    print(f"NCCL {'.'.join(map(str, torch.cuda.nccl.version()))}, torch {torch.__version__}", flush=True)
    for settings in SETTINGS:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        try:
            processes.spawn(worker, (options, port, settings, not settings), nprocs=options.ranks)
        except Exception as error:
            print(f"  not run: {str(error).strip().splitlines()[-1]}", flush=True)


if __name__ == "__main__":
    main()
