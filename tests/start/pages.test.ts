// The pages for the operator: /healthz, /readyz and /metrics.
import { expect, test } from "bun:test";
import { sql } from "kysely";
import { clocksApart } from "../../server/processes/clocks-apart.ts";
import { onOneProcess } from "../house/open/engines.ts";
import { freshMetrics } from "../house/servers/metrics.ts";

onOneProcess("the pages", (house) => {
  const metrics = () => freshMetrics(house().url);

  test("/healthz says alive and /readyz says ready, to anybody", async () => {
    for (const [path, text] of [
      ["/healthz", "alive"],
      ["/readyz", "ready"],
    ]) {
      const page = await fetch(`${house().url}${path}`);
      expect([page.status, (await page.text()).trim()]).toEqual([200, text ?? ""]);
    }
  });

  test("/readyz is 503 while the database cannot be read, and while the server leaves; /healthz is 200 all the same", async () => {
    await house().stopJobs();
    const { house: running } = house().running;
    const pages = async () => {
      const [ready, health] = [await fetch(`${house().url}/readyz`), await fetch(`${house().url}/healthz`)];
      return [ready.status, await ready.text(), health.status];
    };
    const rename = (from: string, to: string) =>
      running.database.transaction((db) =>
        sql`alter table ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(db),
      );
    await rename("instance", "instance_away");
    expect(await pages()).toEqual([503, "the database does not answer\n", 200]);
    await rename("instance_away", "instance");
    running.isLeaving = true;
    expect(await pages()).toEqual([503, "Hearth is stopping\n", 200]);
    running.isLeaving = false;
    expect(await pages()).toEqual([200, "ready\n", 200]);
  });

  test("/readyz names what is missing besides, and stays ready: clocks that differ", async () => {
    // Elsewhere, a process compares its clock with others again by itself.
    if (house().engine !== "SQLite") return;
    const clocks = clocksApart(house().running.house);
    const ready = async () => (await fetch(`${house().url}/readyz`)).text();
    clocks.compare([-60_000]);
    expect(await ready()).toBe(
      "ready\nthe clocks of the processes and of the database are 60 s apart: let all machines keep time by NTP\n",
    );
    clocks.compare([0]);
    expect(await ready()).toBe("ready\n");
  });

  test("/metrics counts requests, sockets, deliveries, commits, rows a commit, latency and event loop lag", async () => {
    const alice = await house().person("alice");
    const { general } = await alice.makeServer();
    const ears = [await alice.listen(), await alice.listen()];
    const before = await metrics();
    const begun = performance.now();
    for (let i = 0; i < 5; i++) await alice.say(general.id, `number ${i}`);
    const tookS = (performance.now() - begun) / 1000;
    for (const ear of ears) await ear.settle();
    const after = await metrics();

    const grown = (name: string) => (after.get(name) ?? Number.NaN) - (before.get(name) ?? 0);
    expect(grown('hearth_http_requests_total{operation="createMessage",status="201"}')).toBe(5);
    expect(grown('hearth_http_request_duration_seconds_count{operation="createMessage"}')).toBe(5);
    expect(grown('hearth_http_request_duration_seconds_sum{operation="createMessage"}')).toBeWithin(0, tookS);
    // Each bucket includes the ones below it.
    const buckets = [...after].flatMap(([name, count]) =>
      name.startsWith('hearth_http_request_duration_seconds_bucket{operation="createMessage"') ? count : [],
    );
    expect(buckets).toEqual(buckets.toSorted((one, other) => one - other));
    expect(buckets.at(-1)).toBe(5);
    // Presence and recurring jobs may add to these two.
    expect(grown("hearth_deliveries_total")).toBeGreaterThanOrEqual(10);
    expect(grown("hearth_commits_total")).toBeGreaterThanOrEqual(5);
    expect(grown("hearth_rows_per_shared_commit_count")).toBe(5);
    expect(grown("hearth_rows_per_shared_commit_sum")).toBe(5);
    expect(after.get("hearth_sockets")).toBe(2);
    expect(after.get('hearth_http_requests_total{operation="gateway",status="101"}')).toBe(2);
    expect(after.get("hearth_event_loop_lag_seconds")).toBeGreaterThanOrEqual(0);

    for (const ear of ears) ear.close();
    await Promise.all(ears.map((ear) => ear.closed));
    await alice.get("/auth/me");
    expect((await metrics()).get("hearth_sockets")).toBe(0);
  });

  test("/metrics names operations, never the addresses that were asked for", async () => {
    await fetch(`${house().url}/api/v1/made-up-by-a-stranger`);
    const names = [...(await metrics()).keys()].join("\n");
    expect(names).toContain('operation="none",status="404"');
    expect(names).not.toContain("made-up-by-a-stranger");
  });
});
