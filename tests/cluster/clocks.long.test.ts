// One of three machines has a wrong clock: all processes report it, as do the doctor and the admins' page.
import { describe, expect, test } from "bun:test";
import type { CheckResult } from "../../features/administration/contract.ts";
import { examine } from "../cli/hearth.ts";
import { canSetClock, clockAhead } from "../house/machine/clock.ts";
import { startServer } from "../house/machine/process.ts";
import { until } from "../house/machine/waiting.ts";
import { canCluster, makeCluster } from "../house/open/cluster.ts";
import { TestPerson } from "../house/people/people.ts";

const missing = canCluster ? "libfaketime" : "PostgreSQL or Redis";

describe.skipIf(!canCluster || !canSetClock)(
  canCluster && canSetClock ? "three processes" : `three processes (skipped: no ${missing} here)`,
  () => {
    test("of which one is ten minutes ahead say so, each once in its log", async () => {
      await using cluster = await makeCluster();
      await using servers = new AsyncDisposableStack();
      const start = async (name: string, more: Record<string, string> = {}) => {
        const server = await startServer({
          settings: { ...cluster.settings(name), LOG_LEVEL: "warn", ...more },
        });
        servers.defer(() => server.stop());
        return server;
      };
      const all = [await start("on-time"), await start("too"), await start("ahead", clockAhead(600))];
      const lineOf = async ({ url }: { url: string }) => {
        const answer = await fetch(`${url}/readyz`);
        expect(answer.status).toBe(200);
        return (await answer.text()).split("\n").find((line) => line.includes("clock"));
      };
      const linesOfAll = async () =>
        (await Promise.all(all.map(lineOf))).filter((line) => line !== undefined);
      await until(async () => (await linesOfAll()).length === 3, "some say nothing");
      const others = /^the clocks of the processes and of the database are (599|60\d) s apart: let all/;
      const [one, other, ahead] = await linesOfAll();
      for (const line of [one, other]) expect(line).toMatch(others);
      expect(ahead).toMatch(/^this machine's clock is (599|60\d) s ahead of that of the database: let all/);
      const told = () =>
        all.map(({ stderr }) => stderr().split("let all machines keep time by NTP").length - 1);
      await until(() => told().every((times) => times > 0), "some log nothing");

      const found = / That of a process is (599|60\d) s ahead of that of PostgreSQL: let both/;
      expect((await examine(cluster.settings("on-time"))).findings.clock).toMatch(found);
      const olga = await TestPerson.register(all[0]!, "olga");
      const { body } = await olga.get<{ checks: CheckResult[] }>("/admin/health");
      const clock = body.checks.find(({ name }) => name === "clock");
      expect(`${clock?.state}: ${clock?.message}`).toMatch(new RegExp(`failed:${found.source}`));
      expect(told()).toEqual([1, 1, 1]);
    }, 400_000);
  },
);
