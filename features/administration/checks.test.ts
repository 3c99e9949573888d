// Doctor checks that find a fault: in the folder, the database, the clocks, and the proxies on the way (test doubles).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { readConfig } from "../../server/config/config.ts";
import type { Finding } from "../../server/house/check.ts";
import { startOldRedis } from "../../tests/doubles/old-redis.ts";
import { type TemporaryFolder, temporaryFolder } from "../../tests/house/machine/folder.ts";
import { freePort } from "../../tests/house/machine/port.ts";
import { until } from "../../tests/house/machine/waiting.ts";
import { checkMail } from "../password-resets/doctor.ts";
import { checkWayHere, isHearth } from "./check-address.ts";
import { checkClock } from "./check-clock.ts";
import { checkDataInUse, checkFolder } from "./check-data.ts";
import { checkOpenFiles } from "./check-open-files.ts";
import { checkAddresses, checkForgery } from "./check-proxy.ts";
import { checkRedis } from "./check-redis.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const told = (found: Finding | undefined) => found && `${found.state}: ${found.says}`;
const byAbout = (found: readonly Finding[]) =>
  Object.fromEntries(found.map((each) => [each.about, told(each) ?? ""]));
const config = (settings: Record<string, string> = {}) =>
  readConfig([], { DATA_DIR: folder.path, ...settings });
const runningAt = (url: string) => ({
  ...{ url, version: "0.0.0", engine: "sqlite", pid: undefined, epoch: undefined },
});

/** A server with a handler for each path; all other paths get 404. */
function answering(paths: Record<string, (asked: Request, from: string) => Response>) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(asked, bun) {
      const answer = paths[new URL(asked.url).pathname];
      return answer?.(asked, bun.requestIP(asked)?.address ?? "") ?? new Response("", { status: 404 });
    },
  });
  const stop = () => server.stop(true);
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: stop };
}

test("the data folder: for its owner alone, open to others, not there yet, or none", async () => {
  const data = join(folder.path, "data");
  const look = async () => told(await checkFolder(config({ DATA_DIR: data })));
  expect(await look()).toMatch(/^note: .* does not exist yet/);
  expect(existsSync(data)).toBe(false);
  mkdirSync(data, { mode: 0o700 });
  expect(await look()).toMatch(/^ok: /);
  for (const mode of [0o701, 0o740, 0o702]) {
    chmodSync(data, mode);
    expect([mode, await look()]).toEqual([mode, expect.stringMatching(/^note: .* can be read by others/)]);
  }
  const file = join(folder.path, "a-file");
  writeFileSync(file, "");
  expect(told(await checkFolder(config({ DATA_DIR: file })))).toMatch(/^wrong: .*\(DATA_DIR\) is no folder/);
  expect(told(await checkFolder(config({ DATA_DIR: join(file, "below") })))).toMatch(
    /^wrong: .*cannot be used/,
  );
});

test("a running server that is not ready, only reads, or takes no uploads", async () => {
  const look = async (says: string, status = 200) => {
    await using server = answering({ "/readyz": () => new Response(says, { status }) });
    return byAbout(await checkDataInUse(runningAt(server.url)));
  };
  expect(await look("ready\n")).toEqual({
    database: "ok: The running server uses it (sqlite) and is ready.",
  });
  expect(await look("the database does not answer\n", 503)).toEqual({
    database: "wrong: The running server (sqlite) is not ready: the database does not answer.",
  });
  const both = "ready\nNo uploads are taken: it is full\nNo writes are taken: it is away\n";
  expect(await look(both)).toEqual({
    database: "wrong: The running server (sqlite) only reads it. No writes are taken: it is away.",
    "uploads taken": "wrong: No uploads are taken: it is full.",
  });
  const nobody = byAbout(await checkDataInUse(runningAt(`http://127.0.0.1:${await freePort()}`)));
  expect(nobody.database).toMatch(/^wrong: The running server \(sqlite\) is not ready: /);
});

const instance = () => Response.json({ version: "0.0.0", limits: {} });
const page = () => new Response('<script type="module" src="/assets/main-1.js"></script>');
const script = () => new Response("", { headers: { "Content-Type": "text/javascript" } });
const ours = () =>
  Response.json({}, { status: 401, headers: { "X-Request-Id": "1", "Content-Type": "application/json" } });
const whole = {
  "/api/v1/instance": instance,
  "/": page,
  "/assets/main-1.js": script,
  "/api/v1/upload": ours,
};

describe("the way here", () => {
  const look = async (paths: Record<string, () => Response>) => {
    await using server = answering(paths);
    const found = await checkWayHere(config({ PUBLIC_URL: server.url }), runningAt(server.url));
    return byAbout(found);
  };

  test("by which all comes through but sockets, which a proxy has to pass on", async () => {
    expect(await look(whole)).toMatchObject({
      "public address": expect.stringMatching(/^ok: A Hearth answers at /),
      page: "ok: The page comes through, and what it loads.",
      uploads: expect.stringMatching(/^ok: Files of 25 MiB come through /),
      sockets: expect.stringMatching(
        /^wrong: None can be opened at .*\/ws \(status 404\): let the proxy pass/,
      ),
    });
  });

  test("by which only a part of it comes through", async () => {
    const noPage = { ...whole, "/": () => new Response("It works!") };
    expect((await look(noPage)).page).toMatch(/^wrong: At .* there is no page of Hearth/);
    const noScript = { ...whole, "/assets/main-1.js": () => new Response("", { status: 502 }) };
    expect((await look(noScript)).page).toMatch(/^wrong: .* but not \/assets\/main-1\.js, .* \(status 502\)/);
    // Some servers send the page for each unknown path.
    expect((await look({ ...whole, "/assets/main-1.js": page })).page).toMatch(/^wrong: .*\(status 200\)/);
    const small = { ...whole, "/api/v1/upload": () => new Response("too large", { status: 413 }) };
    expect((await look(small)).uploads).toMatch(/^wrong: .* do not come through .* \(status 413\)/);
  });

  test("that leads to something else, or to nobody, is looked at no further", async () => {
    const others = [{}, { "/api/v1/instance": () => Response.json({ version: 1, limits: {} }) }];
    for (const paths of others)
      expect(await look({ ...whole, "/api/v1/instance": () => new Response("hello"), ...paths })).toEqual({
        "public address": expect.stringMatching(/^note: No Hearth answers at .*\(PUBLIC_URL\)/),
      });
    expect(await isHearth(`http://127.0.0.1:${await freePort()}`)).toBe(false);
    const unsafe = await checkWayHere(
      config({ PUBLIC_URL: "http://chat.lan" }),
      runningAt("http://127.0.0.1:9"),
    );
    expect(byAbout(unsafe)).toEqual({
      "public address": expect.stringMatching(/^note: http:\/\/chat\.lan \(PUBLIC_URL\) is not https: /),
    });
    const idle = await checkWayHere(config({ PUBLIC_URL: "https://chat.example" }), undefined);
    expect(byAbout(idle)).toEqual({
      "public address": expect.stringMatching(/^ok: .*; start the server to see/),
    });
  });
});

describe("callers behind a proxy", () => {
  const path = "/api/v1/auth/login/password";
  /** Counts calls as rate limits do, by the key that `whose` returns. */
  function counting(whose: (asked: Request, from: string) => string) {
    const left = new Map<string, number>();
    return answering({
      [path](asked, from) {
        const whom = whose(asked, from);
        left.set(whom, (left.get(whom) ?? 30) - 1);
        return new Response("", {
          status: 400,
          headers: { "X-RateLimit-Remaining": String(left.get(whom)) },
        });
      },
    });
  }
  const addresses = async (url: string, hop?: string) =>
    told(await checkAddresses(url, url, async () => hop));

  test("are told apart, or are all one, for want of what the setting or the proxy says", async () => {
    await using apart = counting((_, from) => from);
    expect(await addresses(apart.url)).toMatch(/^ok: Callers through .* are told apart by address\.$/);
    await using one = counting(() => "the proxy");
    expect(await addresses(one.url)).toMatch(
      /^wrong: All callers through .* are 127\.0\.0\.1 to the limits on rates: name the proxy in TRUSTED_PROXIES/,
    );
    expect(await addresses(one.url, "unknown")).toMatch(
      /^wrong: .*X-Forwarded-For comes as "unknown", which/,
    );
    await using unlimited = answering({ [path]: () => new Response("", { status: 400 }) });
    expect(await addresses(unlimited.url)).toMatch(/^off: .* while RATE_LIMITS is off\.$/);
    expect(await addresses(`http://127.0.0.1:${await freePort()}`)).toMatch(/^note: .*could not be seen/);
  });

  test("cannot give themselves another address, unless what they say of it is believed", async () => {
    await using apart = counting((_, from) => from);
    expect(told(await checkForgery(apart.url))).toBe("ok: Nobody can give themselves another address.");
    await using believing = counting((asked) => asked.headers.get("x-forwarded-for") ?? "");
    expect(told(await checkForgery(believing.url))).toMatch(
      /^wrong: Whoever calls .* can choose their address/,
    );
    const nobody = `http://127.0.0.1:${await freePort()}`;
    expect(told(await checkForgery(nobody))).toMatch(/^note: .*could not be seen/);
  });
});

test("a clock that is off from the store's: by nothing to speak of, by some seconds, by too many", async () => {
  let aheadMs = 0;
  await using store = answering({
    "/bucket": () =>
      new Response("", {
        status: 403,
        headers: { Date: new Date(Date.now() + aheadMs).toUTCString() },
      }),
  });
  const keys = { S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "secret" };
  const look = async () => told(await checkClock(config({ S3_URL: `${store.url}/bucket`, ...keys })));
  expect(await look()).toBe("ok: It agrees with that of the S3 store.");
  aheadMs = -20_000;
  expect(await look()).toMatch(/^note: It is (19|2\d) s ahead of that of the S3 store: let /);
  aheadMs = 75_000;
  expect(await look()).toMatch(/^wrong: It is 7\d s behind that of the S3 store: let /);
  expect(await checkClock(config())).toBeUndefined();
});

test.skipIf(process.platform !== "linux")(
  "few files that may be open, and most of them that are",
  async () => {
    const look = async (script: string) => {
      const child = spawn("sh", ["-c", `${script}; exec sleep 600`], { stdio: "ignore" });
      const of = `/proc/${child.pid}`;
      // While it is loaded, a library is open, too: once it sleeps, it is.
      await until(() => readFileSync(`${of}/stat`, "utf8").includes("(sleep) S "), "it does not begin");
      const found = await checkOpenFiles({ ...runningAt("http://127.0.0.1:9"), pid: child.pid });
      child.kill("SIGKILL");
      return told(found);
    };
    expect(await look("exec 3</dev/null 4</dev/null; ulimit -n 6")).toMatch(
      /^wrong: 5 of at most 6 are open: raise LimitNOFILE of systemd/,
    );
    expect(await look("ulimit -n 700")).toMatch(/^note: At most 700 can be open, .* to 16384\.$/);
    expect(await checkOpenFiles({ ...runningAt("http://127.0.0.1:9"), pid: 2 ** 30 })).toBeUndefined();
  },
);

test("a Redis that is too old or not there is wrong, without its password", async () => {
  const look = async (REDIS_URL: string) =>
    told(await checkRedis(config({ REDIS_URL, DATABASE_URL: "postgres://127.0.0.1:9/hearth" })));
  await using old = await startOldRedis("6.2.14");
  expect(await look(old.url)).toMatch(/^wrong: .*it is Redis 6, and version 7/);
  const away = await look(`redis://:swordfish@127.0.0.1:${await freePort()}`);
  expect(away).toMatch(/^wrong: .*cannot be used: .*ECONNREFUSED/);
  expect(away).not.toContain("swordfish");
  expect(await checkRedis(config())).toBeUndefined();
});

describe("a mail server", () => {
  const refusing = (responseCode: number, message: string) => {
    return (_address: unknown, _session: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error(message), { responseCode }));
  };
  const answers: [what: string, options: object, says: RegExp][] = [
    ["takes mails", {}, /^ok: .* takes mails from Hearth/],
    ["wants a sign-in", { authOptional: false }, /^wrong: .* refuses mails .*\(MAIL_FROM\): 530 /],
    ["does not like the sender", { onMailFrom: refusing(554, "go away") }, /^wrong: .*: 554 go away\.$/],
    ["does not relay", { onRcptTo: refusing(550, "5.7.1 no relay") }, /^wrong: .* refuses .*: 550 5\.7\.1/],
    [
      "has no such mailbox",
      { onRcptTo: refusing(550, "5.1.1 who?") },
      /^note: .* knows no mailbox of .*: 550/,
    ],
    ["is busy", { onMailFrom: refusing(451, "busy") }, /^note: .* takes no mail .* for now: 451 busy\.$/],
  ];
  test.each(answers)("that %s is told so, and gets no mail", async (_, options, says) => {
    let mails = 0;
    const server = new SMTPServer({
      ...{ authOptional: true, disabledCommands: ["STARTTLS"], logger: false },
      onData: (_stream, _session, done) => {
        mails++;
        done();
      },
      ...options,
    });
    await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
    const { port } = server.server.address() as { port: number };
    const mail = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Hearth <hearth@house.example>" };
    expect(told(await checkMail(config(mail)))).toMatch(says);
    await new Promise<void>((closed) => server.close(() => closed()));
    expect(mails).toBe(0);
  });
});
