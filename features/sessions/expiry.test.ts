// How long a session lasts: 30 days after its last use, and never longer than 180.
import { afterEach, expect, setSystemTime, test } from "bun:test";
import { onEachEngine } from "../../tests/house/engines.ts";

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
});
