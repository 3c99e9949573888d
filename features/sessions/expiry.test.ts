// How long a session lasts: 30 days after its last use, and never longer than 180.
import { afterEach, expect, setSystemTime, test } from "bun:test";
import { onEachEngine } from "../../tests/house/engines.ts";
import { send } from "../../tests/house/people.ts";

const dayMs = 24 * 3600_000;

afterEach(() => void setSystemTime());

onEachEngine("a session", (house) => {
  test("ends 30 days after it was used last", async () => {
    const ada = await house().person("ada");
    const start = Date.now();
    setSystemTime(start + 29 * dayMs);
    expect((await ada.get("/auth/me")).status).toBe(200);
    // Used on day 29, so it lasts until day 59.
    setSystemTime(start + 58 * dayMs);
    expect((await ada.get("/auth/me")).status).toBe(200);
    setSystemTime(start + 58 * dayMs + 30 * dayMs + 1000);
    expect((await ada.get("/auth/me")).status).toBe(401);
  });

  test("ends after 180 days however often it is used", async () => {
    const bob = await house().person("bob");
    const start = Date.now();
    for (let day = 20; day < 180; day += 20) {
      setSystemTime(start + day * dayMs);
      expect((await bob.get("/auth/me")).status).toBe(200);
    }
    setSystemTime(start + 180 * dayMs + 1000);
    expect((await bob.get("/auth/me")).status).toBe(401);
  });

  test("of a browser: its cookie is sent anew once a day, and never beyond the 180 days", async () => {
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

  test("of a browser that signs out a day later: the answer takes the cookie away, and nothing else", async () => {
    const mia = await house().person("mia");
    setSystemTime(Date.now() + 2 * dayMs);
    const browser = { Cookie: `app_session=${mia.token}` };
    const answer = await send(house(), undefined, "POST", "/auth/logout", undefined, browser);
    expect(answer.headers.getSetCookie()).toEqual([
      "app_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
    ]);
  });
});
