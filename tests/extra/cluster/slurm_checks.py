"""Starts Slurm on two machines that are one, and checks what calib promises under it (../slurm.sh).

slurm_checks.py CHECKOUT PROGRAMS: in a system that is used for nothing else. What fails is told, and the exit code is 1."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import h5py
import numpy

checkout, programs = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(checkout / "tests/extra"))
import engine_talk  # noqa: E402

NODES = ("n1", "n2")
CONFIGURATION = """
ClusterName=bare
SlurmctldHost=node(10.9.0.1)
SlurmUser=root
AuthInfo=socket=/run/munge/munge.socket.2
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd.%n
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.%n.pid
SlurmctldLogFile=/var/log/slurmctld.log
SlurmdLogFile=/var/log/slurmd.%n.log
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=node NodeAddr=10.9.0.1 Port=17001 CPUs=16 CoresPerSocket=16 RealMemory=65536
NodeName=n2 NodeHostname=node NodeAddr=10.9.0.1 Port=17002 CPUs=16 CoresPerSocket=16 RealMemory=65536
PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE:4
"""


def start_slurm():
    """Processes of a node have a hostname and a /tmp of their own; everything else is shared."""
    for folder in ("/run/munge", "/var/spool/slurmctld", "/etc/slurm", *(f"/var/spool/slurmd.{node}" for node in NODES)):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
    pathlib.Path("/etc/hosts").write_text("127.0.0.1 localhost\n10.9.0.1 node n1 n2\n")
    pathlib.Path("/etc/slurm/slurm.conf").write_text(CONFIGURATION)
    # Where there are no control groups, this plugin is not asked for them.
    pathlib.Path("/etc/slurm/cgroup.conf").write_text("CgroupPlugin=cgroup/v1\n")
    key = pathlib.Path("/etc/munge/munge.key")
    key.unlink(missing_ok=True)
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    shutil.chown(key, "munge")
    shutil.chown("/run/munge", "munge")
    subprocess.run(["setpriv", "--reuid=munge", "--regid=munge", "--clear-groups", "munged", "--force"], check=True)
    subprocess.run(["slurmctld", "-c"], check=True)
    for node in NODES:
        own = f"hostname {node} && mount -t tmpfs tmpfs /tmp && exec slurmd -N {node}"
        subprocess.run(["unshare", "--mount", "--propagation=unchanged", "--uts", "sh", "-c", own], check=True)
    states = []
    for _ in range(100):
        states = subprocess.run(["sinfo", "-h", "-N", "-o", "%t"], capture_output=True, text=True).stdout.split()
        if states == ["idle"] * len(NODES):
            return
        time.sleep(0.2)
    sys.exit(f"Slurm's machines do not answer: {states}; see /var/log/slurm*.log")


def write_part(path, first, count, tensors, width, batch):
    random = numpy.random.default_rng(first + 1)
    with h5py.File(path, "w") as file:
        file.attrs["format"] = "calibration-dump"
        file.attrs["first_sample"] = first
        for tensor in range(tensors):
            values = random.normal(size=(count, 8, width)).astype("f4") * (1 + tensor)
            dataset = file.create_dataset(f"activations/a{tensor}", data=values)
            dataset.attrs["layout"] = "NCW"
            dataset.attrs["batch_size"] = batch


def run(*command, **others):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=100, **others)


def profile(*options, output="Q.h5"):
    return ["calib", "profile", *sorted(map(str, pathlib.Path("run").glob("*.h5"))), "-o", output, *options]


def queue():
    return run("squeue", "-h", "-o", "%i %T").stdout.split("\n")[:-1]


def wait_for(condition, seconds=40):
    for _ in range(seconds * 20):
        if condition():
            return True
        time.sleep(0.05)
    return False


def scripts_of(page):
    """The code that a page prints, block by block."""
    text = (checkout / "resources/docs" / page).read_text()
    return re.findall(r"```sh\n(.*?)```", text, re.S)


failed = []


@contextlib.contextmanager
def check(title):
    begun = time.monotonic()
    try:
        yield
        print(f"ok      {title} ({time.monotonic() - begun:.1f} s)", flush=True)
    except (AssertionError, LookupError, OSError, subprocess.SubprocessError) as problem:
        failed.append(title)
        print(f"FAILED  {title}: {problem}", flush=True)
    for left in pathlib.Path().glob("Q.h5*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()


def expect(is_so, told):
    if not is_so:
        raise AssertionError(told)


def same_bytes(ended, output="Q.h5"):
    expect(ended.returncode == 0, f"exit code {ended.returncode}: {ended.stderr}")
    expect(pathlib.Path(output).read_bytes() == expected, "other bytes than without a launcher")
    expect(not pathlib.Path("Q.h5.parts").exists(), "Q.h5.parts is left")


def many_ranks():
    for count, *options in ((1,), (2,), (3,), (7,), (2, "-N2"), (4, "-N2", "--unit"), (7, "-N2", "--unit")):
        places = [option for option in options if option != "--unit"]
        units = ["--unit", "1"] if "--unit" in options else []
        with check(" ".join(["srun", f"-n{count}", *places, "--mpi=pmix: the same bytes", *units])):
            same_bytes(run("srun", f"-n{count}", *places, "--mpi=pmix", *profile(*units)))


def refusals():
    for name, program in (("built with MPI", "calib"), ("built without it", programs / "calib")):
        with check(f"plain srun, {name}: exit code 2 and a sentence"):
            ended = run("srun", "-n2", program, *profile()[1:])
            expect(ended.returncode == 2, f"exit code {ended.returncode}: {ended.stderr}")
            lines = [line for line in ended.stderr.splitlines() if not line.startswith("srun: ")]
            expect(len(lines) == 2 and all("calib: it was started 2 times (SLURM_STEP_NUM_TASKS)" in line for line in lines), lines)
            expect(not list(pathlib.Path().glob("Q.h5*")), "something is left")


def ranks():
    return run("pgrep", "-f", "^[^ ]*mpi/calib profile").stdout.split()


def is_under_way():
    return len(list(pathlib.Path("Q.h5.parts").glob("tensor-*"))) > 3


def stopped_runs():
    def killed(step):
        # The first one is a rank; readers are their children.
        os.kill(int(ranks()[0]), 9)

    def cancelled(step):
        run("scancel", *[line.split()[0] for line in queue()])

    for title, stop in (("a rank is killed", killed), ("scancel", cancelled)):
        with check(f"{title}: no profile; --resume with other ranks makes the same bytes"):
            command = ["srun", "-n3", "-N2", "--mpi=pmix", *profile("--waves", "40")]
            step = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            expect(wait_for(is_under_way), "it finished no tensor")
            stop(step)
            begun = time.monotonic()
            errors = step.communicate(timeout=120)[1]
            print(f"        srun ended after {time.monotonic() - begun:.1f} s with {step.returncode}")
            expect(step.returncode != 0, "exit code 0")
            expect(not pathlib.Path("Q.h5").exists(), "there is a profile")
            expect(is_under_way(), f"nothing is left to go on with: {errors}")
            expect(wait_for(lambda: not queue()), "the job does not end")
            expect(ranks() == [], "ranks are left")
            again = run("srun", "-n2", "--mpi=pmix", *profile())
            expect(again.returncode == 2 and "--resume" in again.stderr, again.stderr)
            same_bytes(run("srun", "-n5", "--mpi=pmix", *profile("--resume")))


def wait_for_jobs():
    expect(wait_for(lambda: not queue(), 100), f"jobs do not end: {queue()}")


def outputs():
    return "".join(path.read_text() for path in sorted(pathlib.Path().glob("slurm-*.out")))


def printed_scripts():
    """As the pages print them; what a machine of two cores has not is said on sbatch's command line."""
    for path in pathlib.Path().glob("slurm-*.out"):
        path.unlink()
    with check("the script of cluster.md"):
        pathlib.Path("profile.sh").write_text(next(block for block in scripts_of("cluster.md") if block.startswith("#!")))
        pathlib.Path("P.h5").rename("expected.h5")
        ended = run("sbatch", "--wait", "--nodes=2", "--ntasks-per-node=2", "profile.sh")
        expect(ended.returncode == 0, ended.stderr + outputs())
        expect(pathlib.Path("P.h5").read_bytes() == expected, "other bytes")
    with check("the same once more, after a job that was cancelled"):
        pathlib.Path("P.h5").unlink()
        job = run("sbatch", "--parsable", "--nodes=2", "--ntasks-per-node=2", "profile.sh").stdout.strip()
        expect(wait_for(pathlib.Path("P.h5.parts/key").exists), "it does not begin")
        run("scancel", job)
        wait_for_jobs()
        expect(not pathlib.Path("P.h5").exists(), "there is a profile")
        pathlib.Path("P.h5.parts").mkdir(exist_ok=True)
        ended = run("sbatch", "--wait", "--nodes=2", "--ntasks-per-node=2", "profile.sh")
        expect(ended.returncode == 0, ended.stderr + outputs())
        expect(pathlib.Path("P.h5").read_bytes() == expected, "other bytes")
    with check("the job array of profile.md"):
        pathlib.Path("P.h5").unlink(missing_ok=True)
        blocks = scripts_of("profile.md")
        at = next(place for place, block in enumerate(blocks) if "sbatch --array" in block and block.startswith("#!"))
        pathlib.Path("profile.sh").write_text(blocks[at])
        # 5 tasks in place of 64.
        submit = blocks[at + 1].replace("1-64", "1-5")
        ended = run("bash", "-euo", "pipefail", "-c", submit)
        expect(ended.returncode == 0, ended.stderr)
        wait_for_jobs()
        expect(pathlib.Path("P.h5").exists(), "no profile: " + outputs())
        expect(pathlib.Path("P.h5").read_bytes() == expected, "other bytes")


def engine():
    for path, options in (("run/rank0.h5", ()), ("expected.h5", ())):
        with check(f"srun -n1 calib serve: ping, open and view of {path}"):
            talk = engine_talk.Engine(["srun", "-n1", "calib"])
            begun = time.monotonic()
            talk.ask("ping", {})
            ping = time.monotonic() - begun
            opened = talk.ask("open", {"path": os.path.abspath(path), "allowExternal": False})
            expect("result" in opened, opened)
            begun = time.monotonic()
            tensor = engine_talk.preview(os.path.abspath(path), 0)["tensor"]
            view = talk.ask("view", {"tensor": tensor, "histograms": [], "choices": [],
                                     "exactMetrics": False, "channelMetrics": False, "curves": False})
            expect("result" in view, view)
            print(f"        ping {1000 * ping:.0f} ms, view {1000 * (time.monotonic() - begun):.0f} ms")
            expect(talk.end() == 0, "it did not end with its input")
            wait_for_jobs()


start_slurm()
print(run("srun", "--version").stdout.strip(), "|", run("mpirun", "--version").stdout.split("\n")[0])
work = pathlib.Path("/root/slurm-checks")
shutil.rmtree(work, ignore_errors=True)
(work / "run").mkdir(parents=True)
os.chdir(work)
os.environ["PATH"] = f"{programs}/mpi:{os.environ['PATH']}"
start = 0
for part, samples in enumerate((24, 32, 40)):
    write_part(f"run/rank{part}.h5", start, samples, 40, 1000, 6)
    start += samples
alone = run(*profile(output="P.h5"))
expected = pathlib.Path("P.h5").read_bytes() if alone.returncode == 0 else sys.exit(alone.stderr)

many_ranks()
refusals()
stopped_runs()
printed_scripts()
engine()
print(f"{len(failed)} failed" if failed else "all right")
sys.exit(1 if failed else 0)
