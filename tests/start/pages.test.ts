// The pages for the operator: alive, ready, and what the server counts.
import { expect, test } from "bun:test";
import { onOneProcess } from "../house/engines.ts";
import { freshMetrics } from "../house/metrics.ts";

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

  test("/metrics counts requests, sockets, deliveries, commits, rows a commit, latency and event loop lag", async () => {
    const alice = await house().person("alice");
    const { general } = await alice.makeServer();
    const ears = [await alice.listen(), await alice.listen()];
    const before = await metrics();
    for (let i = 0; i < 5; i++) await alice.say(general.id, `number ${i}`);
    for (const ear of ears) await ear.settle();
    const after = await metrics();

    const grown = (name: string) => (after.get(name) ?? Number.NaN) - (before.get(name) ?? 0);
    expect(grown('hearth_http_requests_total{operation="createMessage",status="201"}')).toBe(5);
    expect(grown('hearth_http_request_duration_seconds_count{operation="createMessage"}')).toBe(5);
    // Presence and recurring work may add to these two.
    expect(grown("hearth_deliveries_total")).toBeGreaterThanOrEqual(10);
    expect(grown("hearth_commits_total")).toBeGreaterThanOrEqual(5);
    expect(grown("hearth_rows_per_shared_commit_count")).toBe(5);
    expect(grown("hearth_rows_per_shared_commit_sum")).toBe(5);
    expect(after.get("hearth_sockets")).toBe(2);
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
