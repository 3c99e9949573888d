// The log: its lines, their redaction, and what happens while its output accepts nothing.
import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../tests/house/machine/folder.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { measureLag } from "./event-loop-lag.ts";
import { gatherLines, type OpenLog, openLog } from "./log.ts";
import { Histogram, Metrics } from "./metrics.ts";

test("what is said right before the end is there when the process ends", () => {
  const folder = temporaryFolder();
  const path = join(folder.path, "log");
  const { log } = openLog({ logLevel: "error", secrets: [] }, [], openSync(path, "w"));
  log.error("cut off");
  log.flush();
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ level: "error", msg: "cut off" });
  folder.remove();
});

describe("a line", () => {
  const place = [{ path: "/webhooks/{webhookID}/{token}", secretParam: "token" }];

  /** The written lines, as they are in the log. */
  function written(tell: (log: OpenLog) => void, logLevel: "debug" | "info" | "warn" = "debug"): string[] {
    const folder = temporaryFolder();
    const path = join(folder.path, "log");
    const log = openLog({ logLevel, secrets: ["swordfish"] }, place, openSync(path, "w"));
    tell(log);
    log.log.flush();
    const text = readFileSync(path, "utf8");
    folder.remove();
    return text === "" ? [] : text.trimEnd().split("\n");
  }

  test("holds no secret: none of the settings, of an error, or by its name", () => {
    const [line = "", ...more] = written(({ log }) =>
      log.warn(
        {
          err: Object.assign(new Error("no swordfish", { cause: new Error("or swordfish") }), {
            detail: "row",
          }),
          ...{ token: "by its name", address: "smtp://me:by-its-place@mail.example", left: "by its side" },
        },
        "it was swordfish at /webhooks/1/by-its-path",
      ),
    );
    expect(more).toEqual([]);
    expect(line).not.toMatch(/swordfish|by its name|by-its-place|by-its-path|"detail"/);
    expect(JSON.parse(line)).toMatchObject({
      ...{ level: "warn", msg: "it was … at /webhooks/1/…", token: "…", left: "by its side" },
      err: { type: "Error", message: "no …", cause: { message: "or …" } },
    });
  });

  test("that is longer than 64 KiB is replaced by one that says how long it was", () => {
    const many = Array.from({ length: 9000 }, (_, i) => `word ${i}`);
    const [line = "", short = ""] = written(({ log }) => {
      log.info({ many }, "too much of swordfish");
      log.info({ many: many.slice(0, 10) }, "not too much");
    });
    expect(Object.keys(JSON.parse(line)).sort()).toEqual(["left_out", "level", "msg", "time"]);
    expect(JSON.parse(line)).toMatchObject({ level: "info", msg: "too much of …" });
    expect(JSON.parse(line).left_out).toBeGreaterThan(64 * 1024);
    expect(JSON.parse(short)).toMatchObject({ many: many.slice(0, 10) });
  });

  test("of a request stays one line of JSON, whatever its path, method and address are", () => {
    const odd = '/a"b\n{"level":"fatal"}\\';
    const lines = written(({ logRequest }) => {
      logRequest("1", "GET", "/servers/2", 200, 1.23456, undefined);
      logRequest("2", 'GE"T\n', odd, 404, 1, 'fe80::1%"\n');
      logRequest("3", "POST", "/webhooks/2/swordfish", 204, 1, "127.0.0.1");
      logRequest("4", "POST", "/webhooks%2f2%2fby-its-path", 404, 1, "127.0.0.1");
      logRequest("5", "GET", `/a/hs_${"x".repeat(43)}`, 404, 1, "127.0.0.1");
    });
    const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(said.map(({ request_id }) => request_id)).toEqual(["1", "2", "3", "4", "5"]);
    expect(said[0]).toEqual({
      ...{ level: "info", time: expect.stringMatching(/Z$/), request_id: "1", method: "GET" },
      ...{ path: "/servers/2", status: 200, ms: 1.235 },
    });
    expect(said[1]).toMatchObject({ method: 'GE"T\n', path: odd, ip: 'fe80::1%"\n' });
    expect(said[2]?.path).toBe("/webhooks/2/…");
    expect(lines.join()).not.toMatch(/by-its-path|xxxx/);
  });

  test("of a request is written down to the level info, and of less than the level that is set nothing is", () => {
    const tell = ({ log, logRequest }: OpenLog) => {
      for (const level of ["debug", "info", "warn", "error"] as const) log[level](level);
      logRequest("1", "GET", "/", 200, 1, undefined);
    };
    const told = (level: "debug" | "info" | "warn") =>
      written(tell, level).map((line) => JSON.parse(line).msg ?? "a request");
    expect(told("debug")).toEqual(["debug", "info", "warn", "error", "a request"]);
    expect(told("info")).toEqual(["info", "warn", "error", "a request"]);
    expect(told("warn")).toEqual(["warn", "error"]);
  });
});

test("the lag of the event loop is told once, in seconds", async () => {
  const lagS = measureLag();
  expect(lagS()).toBeLessThan(60);
  const end = performance.now() + 400;
  while (performance.now() < end) Math.sqrt(2);
  // Recorded by the timer, or by this call itself.
  expect(lagS()).toBeGreaterThan(0.2);
  await until(() => lagS() < 0.2, "it is told for good", 60_000);
});

test("a value at a bound counts below it, and one above all bounds counts, too", () => {
  const histogram = new Histogram([1, 2]);
  for (const value of [0.5, 1, 1.5, 2, 3]) histogram.add(value);
  expect([histogram.counts, histogram.sum]).toEqual([[2, 2, 1], 8]);
  const metrics = new Metrics();
  for (const ms of [1, 1000]) metrics.answered("health", 200, ms);
  metrics.answered("health", 503, 1);
  const { byStatus, seconds } = metrics.operations.get("health")!;
  expect([...byStatus]).toEqual([
    [200, 2],
    [503, 1],
  ]);
  expect([seconds.counts[0], seconds.counts[seconds.bounds.indexOf(1)]]).toEqual([2, 1]);
  expect(seconds.sum).toBeCloseTo(1.002);
});

describe("a pipe that takes no more for now", () => {
  const line = `${"a".repeat(99)}\n`;

  /** A pipe as some supervisors provide it: a write to the full pipe fails instead of blocking. */
  async function withPipe(work: (pipe: number) => Promise<void>): Promise<void> {
    const folder = temporaryFolder();
    const path = join(folder.path, "pipe");
    execFileSync("mkfifo", [path]);
    const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      await work(pipe);
    } finally {
      closeSync(pipe);
      folder.remove();
    }
  }

  function readAll(pipe: number): string {
    const some = Buffer.alloc(1024 * 1024);
    try {
      return some.toString("utf8", 0, readSync(pipe, some));
    } catch {
      return "";
    }
  }

  test("gets every line, once it takes them", () =>
    withPipe(async (pipe) => {
      const log = gatherLines(pipe);
      for (let i = 0; i < 5000; i++) log.write(line);
      let read = "";
      while (read.length < 5000 * line.length) {
        read += readAll(pipe);
        await Bun.sleep(5);
      }
      expect(read).toBe(line.repeat(5000));
    }));

  test("keeps no more than 4 MiB waiting, and is told how many lines it missed", () =>
    withPipe(async (pipe) => {
      const log = gatherLines(pipe);
      const large = `${"a".repeat(64 * 1024 - 1)}\n`;
      const count = 200;
      for (let i = 0; i < count; i++) log.write(large);
      let read = "";
      const missed = () => /^\{"level":"warn","msg":"(\d+) log lines were dropped"\}$/m.exec(read)?.[1];
      await until(() => {
        read += readAll(pipe);
        return missed() !== undefined;
      }, "nobody tells of it");
      const whole = read.split("\n").filter((each) => each === large.trimEnd()).length;
      expect(whole + Number(missed())).toBe(count);
      // Lines that were already being written do not wait.
      expect(whole).toBeWithin(64, 64 + 5);
    }));

  test("keeps nobody from ending", () =>
    withPipe(async (pipe) => {
      const log = gatherLines(pipe);
      for (let i = 0; i < 1000; i++) log.write(line);
      log.flush();
      for (let i = 0; i < 1000; i++) log.write(line);
      log.flush();
      expect(readAll(pipe)).toStartWith(line.repeat(100));
    }));
});
