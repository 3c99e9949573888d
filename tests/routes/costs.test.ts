// The benchmark has an expensive call of every operation or a reason to leave it out, so that no new one is forgotten.
import { expect, test } from "bun:test";
import type { City } from "../../bench/bystander/scenes/city.ts";
import { dearestCalls } from "../../bench/costs/dearest.ts";
import { others } from "../../bench/costs/others.ts";
import { routes } from "./walk.ts";

const stage = { origin: "", serverId: "", channelId: "", people: [] };
const city: City = {
  ...{ people: [], some: [], tokens: [], messages: [] },
  ...{ village: "", archive: "", message: "", event: "", role: "" },
};
/** The operation that the benchmark measures with a multipart form instead. */
const upload = "uploadFile";

test("bench -- costs measures every operation, or says why not", () => {
  const measured = new Set([upload, ...dearestCalls(stage, city).map(({ name }) => name)]);
  const known = [...measured, ...Object.keys(others)].sort();
  expect(known).toEqual(routes.map(({ operation }) => operation.name).sort());
});
