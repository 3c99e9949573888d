// The programs that `.ci/run` starts beside its tests end with it, however it ends, and report their exit codes.
import { afterAll, expect, test } from "bun:test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../house/machine/folder.ts";
import { until } from "../house/machine/waiting.ts";

const folder = temporaryFolder();
afterAll(() => folder.remove());
const note = join(folder.path, "pids");
/** A shell that starts a child; both write their process ids to `note`. */
const lingering = `sh -c 'echo $$ >>${note}; sleep 600 & echo $! >>${note}; wait'`;

function run(script: string): ChildProcess {
  return spawn("bash", ["-c", `. .ci/asides.sh\n${script}`], { stdio: ["ignore", "pipe", "inherit"] });
}

const pids = () => (existsSync(note) ? readFileSync(note, "utf8").trim().split("\n").map(Number) : []);
const isThere = (pid: number) => existsSync(`/proc/${pid}`);

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  test(`ended by ${signal}, it leaves nothing behind`, async () => {
    const before = existsSync(note) ? pids().length : 0;
    const running = run(`begin_aside one ${lingering}\nbegin_shown two ${lingering}\nawait_aside two`);
    await until(() => pids().length === before + 4, "they did not begin");
    const begun = pids().slice(before);
    expect(begun.every(isThere)).toBe(true);
    running.kill(signal);
    const [code] = await once(running, "exit");
    expect(code).toBeGreaterThan(128);
    await until(() => !begun.some(isThere), "something is left");
  });

test("each ends as its program did, and what it said is shown", async () => {
  const running = run(`
    begin_aside fails sh -c 'echo oh no; exit 3'
    begin_shown goes echo fine
    await_aside goes; echo $?
    end_of_aside fails; echo $?`);
  let said = "";
  running.stdout?.on("data", (chunk) => (said += chunk));
  await once(running, "close");
  expect(said.trim().split("\n")).toEqual(["fine", "0", "oh no", "3"]);
});
