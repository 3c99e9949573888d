// The cache of token hashes, which keeps nothing of texts too long for a token; and ids that rise.
import { expect, test } from "bun:test";
import { newToken, tokenHash } from "./tokens.ts";

const mib = 1024 * 1024;

test("a token has one hash, which is another's no more than the token is", () => {
  const [one, other] = [newToken("hs_"), newToken("hs_")];
  expect(tokenHash(one)).toBe(tokenHash(one));
  expect(tokenHash(one)).not.toBe(tokenHash(other));
  expect(tokenHash(one)).not.toContain(one);
});

test("what is too long for a token is hashed and forgotten", () => {
  // In a process of its own: garbage of other tests would be counted with it.
  const bytes = printedBy(`
    const { tokenHash } = await import("./server/tokens.ts");
    const inUse = () => {
      Bun.gc(true);
      return process.memoryUsage().heapUsed;
    };
    tokenHash("one before it is counted");
    const before = inUse();
    for (let i = 0; i < 2000; i++) tokenHash(\`\${i}\`.padStart(16_384, "x"));
    console.log(inUse() - before);`);
  expect(bytes).toBeLessThan(8 * mib);
});

test("ids rise above one that a clock made which was a year ahead, however many are made", () => {
  // In a process of its own: ids never fall back, so all later ones here would be of next year.
  const told = printedBy(`
    const { idsRiseFrom, madeAt, newId } = await import("./server/tokens.ts");
    const ahead = Bun.randomUUIDv7("hex", Date.now() + 365 * 24 * 3600_000);
    const ids = [newId()];
    idsRiseFrom(ahead);
    for (let i = 0; i < 100_000; i++) ids.push(newId());
    idsRiseFrom(ids[0]);
    ids.push(newId());
    const isRising = ids.every((id, i) => i === 0 || id > ids[i - 1]);
    console.log(JSON.stringify([isRising, ids[1] > ahead, new Set(ids).size, madeAt(ids.at(-1)) - madeAt(ahead) < 60_000]));`);
  expect(told).toEqual([true, true, 100_002, true]);
});

function printedBy(program: string): unknown {
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program]);
  return JSON.parse(stdout.toString());
}
