// Lifetime of a session: 30 days after its last use, and never more than 180.
import { afterEach, expect, setSystemTime, test } from "bun:test";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../protocol/limits.ts";
import { newId, tokenHash } from "../../server/tokens.ts";
import { soon, until } from "../../tests/house/machine/waiting.ts";
import { onEachEngine, onOneProcess } from "../../tests/house/open/engines.ts";
import { send } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { lastUses } from "./access.ts";
import { sessions } from "./handlers.ts";

const dayMs = 24 * 3600_000;

afterEach(() => void setSystemTime());

onEachEngine("a session", (house) => {
  /** Runs the jobs that each process runs from time to time. */
  async function runJobs() {
    for (const job of sessions.jobs ?? []) for (const running of house().all) await job.run(running.house);
  }

  test("ends 30 days after it was used last, on whichever process that was", async () => {
    const ada = await house().person("ada");
    const statuses = async () => {
      const answers = [];
      for (const _ of house().all) answers.push(await ada.get("/auth/me"));
      return new Set(answers.map(({ status }) => status));
    };
    const start = Date.now();
    expect(await statuses()).toEqual(new Set([200]));
    await runJobs();
    setSystemTime(start + 29 * dayMs);
    expect((await ada.get("/auth/me")).status).toBe(200);
    await runJobs();
    // Used on day 29, so it lasts until day 59.
    setSystemTime(start + 58 * dayMs);
    expect(await statuses()).toEqual(new Set([200]));
    await runJobs();
    setSystemTime(start + 58 * dayMs + 30 * dayMs + 1000);
    expect(await statuses()).toEqual(new Set([401]));
  });

  test("ends after 180 days however often it is used", async () => {
    const bob = await house().person("bob");
    const start = Date.now();
    for (let day = 20; day < 180; day += 20) {
      setSystemTime(start + day * dayMs);
      expect((await bob.get("/auth/me")).status).toBe(200);
      await runJobs();
    }
    setSystemTime(start + 180 * dayMs + 1000);
    expect((await bob.get("/auth/me")).status).toBe(401);
  });

  test("in use is not the one that ends for one session too many, however old it is", async () => {
    const dora = await house().person("dora");
    const start = Date.now();
    const others = Array.from({ length: limits.sessions_max - 1 }, () => ({
      ...{ id: newId(), user_id: dora.id, token_hash: tokenHash(newId()), user_agent: "" },
      ...{ created_at: start, last_used_at: start + 3600_000, opened_by: null },
    }));
    await fill(house(), "sessions", others);
    setSystemTime(start + 2 * 3600_000);
    // The use is known in every process, but not written yet.
    for (const _ of house().all) expect((await dora.get("/auth/me")).status).toBe(200);
    const login = { email: dora.username, password: dora.password };
    expect((await send(house(), undefined, "POST", "/auth/login/password", login)).status).toBe(200);
    expect((await dora.get("/auth/me")).status).toBe(200);
    expect((await dora.get<unknown[]>("/auth/sessions")).body).toHaveLength(limits.sessions_max);
  });

  /** Inserts `count` equal sessions of this person directly into the database. */
  async function fillSessions(userId: string, count: number, usedAt: number) {
    const rows = Array.from({ length: count }, () => ({
      ...{ id: newId(), user_id: userId, token_hash: tokenHash(newId()), user_agent: "" },
      ...{ created_at: usedAt, last_used_at: usedAt, opened_by: null },
    }));
    await fill(house(), "sessions", rows);
    return rows;
  }

  const sessionsOf = (userId: string) =>
    house()
      .running.house.database.read.selectFrom("sessions")
      .select(["id", "last_used_at"])
      .where("user_id", "=", userId)
      .execute();

  test("that is over goes by itself, a hundred in a commit, with its sockets; those in use stay", async () => {
    await house().stopJobs();
    const { house: open } = house().running;
    const eve = await house().person("eve");
    const ear = await eve.listen();
    const over = await fillSessions(eve.id, 150, Date.now() - 30 * dayMs - 60_000);
    const stays = await fillSessions(eve.id, 1, Date.now() - 30 * dayMs + 60_000);
    // Used since, which is in no row yet.
    const inUse = over.slice(0, 20);
    for (const { id } of inUse) lastUses(open).set(id, Date.now());
    const endExpired = () => sessions.jobs?.[1]?.run(open);
    expect(await endExpired()).toBe(true);
    while (await endExpired());
    await house().heard();
    const left = (await sessionsOf(eve.id)).map(({ id }) => id);
    expect(left).toContain(String(ear.ready.session_id));
    expect(left).toHaveLength(22);
    expect(left).toEqual(expect.arrayContaining([...inUse, ...stays].map(({ id }) => id)));
    const start = Date.now();
    setSystemTime(start + 30 * dayMs + 60_000);
    for (const running of house().all) lastUses(running.house).clear();
    while (await endExpired());
    expect((await soon(ear.closed)).code).toBe(4010);
    expect(await sessionsOf(eve.id)).toEqual([]);
  });

  test("is noted as used however many were used since the last time", async () => {
    await house().stopJobs();
    const { house: open } = house().running;
    const fay = await house().person("fay");
    const rows = await fillSessions(fay.id, 1100, Date.now() - dayMs);
    const usedAt = Date.now() - 1000;
    for (const { id } of rows) lastUses(open).set(id, usedAt);
    expect(await sessions.jobs?.[0]?.run(open)).toBe(false);
    const ids = new Set(rows.map(({ id }) => id));
    const noted = (await sessionsOf(fay.id)).filter(({ id }) => ids.has(id));
    expect(new Set(noted.map(({ last_used_at }) => Number(last_used_at)))).toEqual(new Set([usedAt]));
    expect(rows.filter(({ id }) => lastUses(open).has(id))).toEqual([]);
  });

  test("used while the clock was weeks behind is none that nobody used when it is right again", async () => {
    const kim = await house().person("kim");
    const start = Date.now();
    setSystemTime(start - 40 * dayMs);
    expect((await kim.get("/auth/me")).status).toBe(200);
    setSystemTime(start);
    expect((await kim.get("/auth/me")).status).toBe(200);
  });

  test("opened while the clock was a year ahead ends as if it had been opened when it was right again", async () => {
    const start = Date.now();
    setSystemTime(start + 365 * dayMs);
    const [leo, zoe] = [await house().person("leo"), await house().person("zoe")];
    setSystemTime(start);
    for (const each of [leo, zoe]) expect((await each.get("/auth/me")).status).toBe(200);
    await runJobs();
    await house().restart();
    for (let day = 20; day < 180; day += 20) {
      setSystemTime(start + day * dayMs);
      expect((await leo.get("/auth/me")).status).toBe(200);
      await runJobs();
    }
    expect((await zoe.get("/auth/me")).status).toBe(401);
    setSystemTime(start + 180 * dayMs + 60_000);
    expect((await leo.get("/auth/me")).status).toBe(401);
  });

  test("used while the database took no writes counts as used once it takes them again", async () => {
    if (house().engine !== "SQLite") return;
    const { house: open } = house().running;
    const ben = await house().person("ben");
    const start = Date.now();
    setSystemTime(start + 29 * dayMs);
    expect((await ben.get("/auth/me")).status).toBe(200);
    const writing = () => (sessions.jobs ?? [])[0]?.run(open);
    const file = join(open.config.dataDir, "hearth.db");
    renameSync(file, `${file}.away`);
    await until(() => open.database.trouble !== undefined, "it takes writes");
    await expect(writing()).rejects.toThrow();
    renameSync(`${file}.away`, file);
    await until(() => open.database.trouble === undefined, "it takes no writes");
    await writing();
    await house().restart();
    setSystemTime(start + 58 * dayMs);
    expect((await ben.get("/auth/me")).status).toBe(200);
  });
});

// Each process sends it once a day.
onOneProcess("the cookie of a session", (house) => {
  test("is sent anew once a day, and never beyond the 180 days", async () => {
    const eve = await house().person("eve");
    const start = Date.now();
    const visit = async (headers: Record<string, string>) => {
      const answer = await send(house(), undefined, "GET", "/auth/me", undefined, headers);
      expect(answer.status).toBe(200);
      return answer.headers.get("set-cookie");
    };
    const browser = { Cookie: `app_session=${eve.token}` };
    const again = (days: number) =>
      `app_session=${eve.token}; Path=/; Max-Age=${days * 24 * 3600}; HttpOnly; SameSite=Lax`;
    expect(await visit(browser)).toBe(null);
    for (const day of [1, 25, 50, 75, 100, 125]) {
      setSystemTime(start + day * dayMs + 60_000);
      expect(await visit({ Authorization: `Bearer ${eve.token}` })).toBe(null);
      expect(await visit(browser)).toBe(again(30));
      expect(await visit(browser)).toBe(null);
    }
    setSystemTime(start + 150 * dayMs + 60_000);
    expect(await visit(browser)).toStartWith(`app_session=${eve.token}; Path=/; Max-Age=2591`);
    setSystemTime(start + 179 * dayMs);
    const [, seconds] = /Max-Age=(\d+)/.exec((await visit(browser)) ?? "") ?? [];
    expect(Number(seconds)).toBeWithin(24 * 3600 - 60, 24 * 3600 + 1);
  });

  test("is taken away by the answer to a browser that signs out a day later, and nothing else", async () => {
    const mia = await house().person("mia");
    setSystemTime(Date.now() + 2 * dayMs);
    const browser = { Cookie: `app_session=${mia.token}` };
    const answer = await send(house(), undefined, "POST", "/auth/logout", undefined, browser);
    expect(answer.headers.getSetCookie()).toEqual([
      "app_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
    ]);
  });
});
