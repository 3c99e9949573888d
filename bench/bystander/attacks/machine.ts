// Load that comes from the machine and its operator: a start with a long log, backups, a slow disk.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { canTrace } from "../../../tests/crash/trace.ts";
import type { Attack } from "../attack.ts";
import { deadLog } from "../scenes/history.ts";
import { metropolis } from "../scenes/metropolis.ts";
import { village } from "../scenes/village.ts";

const syncUs = 200_000;

export const startWithDeadLog: Attack<undefined> = {
  name: "dead-log",
  what: "start with 200,000 events of a server deleted two days ago",
  scene: deadLog,
  atStart: true,
  async run(attacker) {
    await attacker.go();
    attacker.made();
    attacker.answered("started");
    await attacker.over;
  },
};

export const backups: Attack<unknown> = {
  name: "backups",
  what: "hearth backup, one after another",
  scene: metropolis,
  isPossible: (checkout) => existsSync(join(checkout, "cli", "backup.ts")),
  async run(attacker) {
    const { checkout, dataDir } = attacker.hearth;
    await attacker.go();
    for (let number = 0; !attacker.isOver(); number++) {
      attacker.made();
      const copy = join(dataDir, "..", `copy-${process.pid}-${number}`);
      const command = [
        process.execPath,
        join(checkout, "cli", "main.ts"),
        "backup",
        copy,
        "--data-dir",
        dataDir,
      ];
      const program = Bun.spawn(command, { stdout: "ignore", stderr: "ignore" });
      attacker.answered(`exit ${await Promise.race([program.exited, attacker.over])}`);
      program.kill();
      rmSync(copy, { recursive: true, force: true });
    }
  },
};

export const slowSync: Attack<undefined> = {
  name: "slow-sync",
  what: "a disk that takes 200 ms a sync",
  scene: village,
  postsMayWait: true,
  isPossible: canTrace,
  async run(attacker) {
    const delay = `inject=fsync,fdatasync:delay_exit=${syncUs}`;
    const trace = join(attacker.hearth.dataDir, "..", `syncs-${process.pid}`);
    await attacker.go();
    const program = Bun.spawn(
      [
        "strace",
        "-f",
        "-p",
        String(attacker.target.pid),
        "-e",
        "trace=fsync,fdatasync",
        "-e",
        delay,
        "-o",
        trace,
      ],
      { stdout: "ignore", stderr: "ignore" },
    );
    attacker.made();
    await attacker.over;
    program.kill("SIGINT");
    await program.exited;
    for (const _ of readFileSync(trace, "utf8").matchAll(/sync\(.*DELAYED/g)) attacker.answered("slow sync");
  },
};
