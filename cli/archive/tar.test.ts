// The tar format as other programs read it, also for files too large for its first version.
import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { tarEntries, tarHeader } from "./tar.ts";

async function* pieces(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

const sizes = [0, 1, 512, 8 * 1024 ** 3 - 1, 8 * 1024 ** 3, 5 * 1024 ** 4];

test("other programs read the names and sizes that were written, beyond 8 GiB as well", () => {
  for (const size of sizes) {
    const { stdout } = spawnSync("tar", ["tvf", "-"], { input: tarHeader("hearth.db", size, 1_800_000_000) });
    expect(stdout.toString()).toMatch(new RegExp(` ${size} 2027-01-15 \\S+ hearth\\.db\n`));
  }
});

test("what was written is read again, in whatever pieces it comes", async () => {
  for (const size of sizes) {
    const header = tarHeader("hearth.db", size, 1_800_000_000);
    const entries = tarEntries(pieces(header.subarray(0, 3), header.subarray(3, 600), header.subarray(600)));
    const { value } = await entries.next();
    expect(value).toMatchObject({ name: "hearth.db", size });
  }
});

test("a header that says the same in other words is not taken", async () => {
  const other = spawnSync("tar", ["cf", "-", "--format=gnu", "package.json"]).stdout;
  await expect(tarEntries(pieces(other)).next()).rejects.toThrow("a header in it is not as it was written");
});
