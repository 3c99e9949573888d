// /metrics: who may read it, how often its text is renewed, and whether Prometheus accepts it.
import { afterEach, describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { makeHouse, type TestHouse } from "../house/open/engines.ts";
import { figuresIn } from "../house/servers/metrics.ts";

const promtool = Bun.which("promtool");
const token = "a-token-of-the-operator";
const elsewhere = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === "IPv4")?.address;

let house: TestHouse;
afterEach(() => house.end());

async function open(settings: Record<string, string> = {}): Promise<void> {
  house = await makeHouse("SQLite", { LOG_LEVEL: "silent", ...settings });
  await house.open();
}

async function look(headers: Record<string, string> = {}, origin = house.url) {
  const page = await fetch(`${origin}/metrics`, { headers });
  return { status: page.status, text: await page.text(), type: page.headers.get("content-type") };
}

describe("as the settings are by default", () => {
  test("a program on this machine reads it, and nobody that a proxy lets through", async () => {
    await open();
    expect((await look()).status).toBe(200);
    for (const header of ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP", "X-Forwarded-Proto"]) {
      expect((await look({ [header]: "127.0.0.1" })).status).toBe(404);
    }
  });

  test("it is read by a name of this machine or of a home, and by no page whose name was pointed here", async () => {
    await open();
    for (const Host of ["localhost:8080", "127.0.0.1", "[::1]:8080", "nas:8080", "nas.local"])
      expect([Host, (await look({ Host })).status]).toEqual([Host, 200]);
    for (const Host of ["evil.example", "evil.example:8080", "nas.local.evil.example", "localhost."])
      expect([Host, (await look({ Host })).status]).toEqual([Host, 404]);
  });

  test("behind a trusted proxy nobody is of this machine, whatever address the proxy names", async () => {
    await open({ TRUSTED_PROXIES: "127.0.0.1" });
    for (const address of ["127.0.0.1", "::1", "203.0.113.5", ""]) {
      expect((await look({ "X-Forwarded-For": address })).status).toBe(404);
    }
  });

  test.skipIf(!elsewhere)(
    "from another address of the network there is nothing, as at an unknown path",
    async () => {
      await open({ HOST: "0.0.0.0" });
      const there = `http://${elsewhere}:${new URL(house.url).port}`;
      const refused = await look({}, there);
      const unknown = await fetch(`${there}/metricsx`);
      expect([refused.status, unknown.status]).toEqual([404, 404]);
      const withoutId = (text: string) => ({ ...JSON.parse(text), request_id: "" });
      expect(withoutId(refused.text)).toEqual(withoutId(await unknown.text()));
      expect((await look({}, `http://127.0.0.1:${new URL(house.url).port}`)).status).toBe(200);
    },
  );
});

test("with METRICS_TOKEN it is read from elsewhere by whoever brings the token", async () => {
  await open({ METRICS_TOKEN: token });
  const through = { "X-Forwarded-For": "203.0.113.5" };
  for (const authorization of [`Bearer ${token}`, `bearer ${token}`]) {
    expect((await look({ ...through, Authorization: authorization })).status).toBe(200);
  }
  for (const authorization of [
    "",
    "Bearer",
    `Bearer ${token}x`,
    `Bearer ${token.slice(1)}`,
    `Bot ${token}`,
    token,
  ]) {
    expect((await look({ ...through, Authorization: authorization })).status).toBe(404);
  }
  expect((await look()).status).toBe(200);
});

test("with METRICS=open anybody reads it", async () => {
  await open({ METRICS: "open" });
  expect((await look({ "X-Forwarded-For": "203.0.113.5" })).status).toBe(200);
});

test("its text is kept for a second, however many look", async () => {
  await open();
  // A round in which the machine stands still for a second proves nothing.
  for (let isInTime = false; !isInTime; await Bun.sleep(1100)) {
    const begun = performance.now();
    const texts = await Promise.all(Array.from({ length: 20 }, async () => (await look()).text));
    isInTime = performance.now() - begun < 1000;
    if (isInTime) expect(new Set(texts).size).toBe(1);
  }
  await fetch(`${house.url}/healthz`);
  expect((await look()).text).toContain('hearth_http_requests_total{operation="health",status="200"} 1\n');
});

describe("what it says", () => {
  test("is true of the process, and the lag of the event loop is a number of seconds", async () => {
    await open();
    const { text, type } = await look();
    expect(type).toBe("text/plain; version=0.0.4; charset=utf-8");
    const figures = figuresIn(text);
    for (const value of figures.values()) expect(Number.isFinite(value)).toBe(true);
    expect(figures.get("hearth_event_loop_lag_seconds")).toBeWithin(0, 60);
    expect(figures.get("hearth_process_resident_memory_bytes")).toBeWithin(2 ** 24, 2 ** 33);
    expect(figures.get("hearth_process_start_time_seconds")).toBeWithin(1.6e9, Date.now() / 1000 + 1);
    expect(figures.get("hearth_process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(text).not.toMatch(/heap|active_(handles|requests|resources)/);
  });

  test("tells a standstill of the event loop as its lag", async () => {
    await open();
    await look();
    await Bun.sleep(1100);
    const until = performance.now() + 400;
    while (performance.now() < until) Math.sqrt(2);
    expect(figuresIn((await look()).text).get("hearth_event_loop_lag_seconds")).toBeGreaterThan(0.2);
  });

  test("is named as Prometheus has it: HELP and TYPE once, before the samples; only counters end in _total", async () => {
    await open();
    const { text } = await look();
    const families = text.split(/(?=^# HELP )/m);
    const names = families.map((family) => {
      const [, name, type] = /^# HELP (\S+) [^\n]+\n# TYPE \1 (counter|gauge|histogram)\n/.exec(family) ?? [];
      const endings = type === "histogram" ? "_(bucket|sum|count)" : "";
      const sample = new RegExp(
        String.raw`^${name}${endings}(\{\w+="[^"\\]*"(,\w+="[^"\\]*")*\})? [\d.e+-]+$`,
      );
      for (const line of family.trimEnd().split("\n").slice(2)) expect(line).toMatch(sample);
      expect(name?.endsWith("_total")).toBe(type === "counter");
      return name;
    });
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("hearth_http_request_duration_seconds");
  });

  test.skipIf(!promtool)("promtool finds nothing to say", async () => {
    await open();
    const { text } = await look();
    const check = Bun.spawn([promtool ?? "", "check", "metrics"], {
      stdin: new Blob([text]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const said = (await new Response(check.stdout).text()) + (await new Response(check.stderr).text());
    expect([await check.exited, said]).toEqual([0, ""]);
  });
});
