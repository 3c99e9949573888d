// The examples of docs/permissions.md are true: each row of the table goes through the resolver.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type Override, resolve } from "../../protocol/overrides.ts";
import { permission } from "../../protocol/permissions.ts";

const bits: Readonly<Record<string, number>> = {
  see: permission.VIEW_CHANNEL,
  send: permission.SEND_MESSAGES,
};
const text = readFileSync(new URL("../../docs/permissions.md", import.meta.url), "utf8");
const rows = text
  .split("\n")
  .filter((line) => /^\| (no overrides|.*: )/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, channel = "", who = "", may = ""]) => ({ channel, who, may }));

/** `Moderators: see allowed` → the override; Ann is the only member with a name. */
function toOverride(said: string): Override {
  const [, id = "", name = "", way] = /^(\S+): (\w+) (allowed|denied)$/.exec(said) ?? [];
  const bit = bits[name] ?? Number.NaN;
  const kind = id === "Ann" ? "member" : "role";
  return { id, kind, allow: way === "allowed" ? bit : 0, deny: way === "denied" ? bit : 0 };
}

function holderOf(who: string) {
  const everyone = { id: "@everyone", permissions: (bits.see ?? 0) | (bits.send ?? 0), isDefault: true };
  const held = [/moderator/.test(who) && "Moderators", /muted/.test(who) && "Muted"].filter(Boolean);
  const roles = held.map((id) => ({ id: String(id), permissions: 0, isDefault: false }));
  return {
    userId: /Ann/.test(who) ? "Ann" : "somebody",
    isOwner: /owner/.test(who),
    roles: [...roles, everyone],
  };
}

test("there are examples", () => {
  expect(rows.length).toBeGreaterThanOrEqual(8);
});

for (const { channel, who, may } of rows) {
  test(`with ${channel}, ${who} may do there: ${may}`, () => {
    const overrides = channel === "no overrides" ? [] : channel.split("; ").map(toOverride);
    const result = resolve(holderOf(who), overrides).at(-1)?.result ?? 0;
    const allowed = Object.keys(bits).filter((name) => result & (bits[name] ?? 0));
    expect(allowed.join(", ") || "nothing").toBe(may);
  });
}
