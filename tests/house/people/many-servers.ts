// Inserts many complete servers straight into the database, as if people had made them.

import type { House } from "../../../server/house/house.ts";
import { serverStream } from "../../../server/place.ts";
import { lowestId } from "../../../server/tokens.ts";
import type { TestPerson } from "./people.ts";

/** Servers of one transaction, with a hundred members each at most. */
const serversAtOnce = 100;

interface Shape {
  channels?: number;
  roles?: number;
}

/** The first member owns the servers; all members hold the last of the roles. Returns the servers' ids, in order. */
export async function fillServers(
  house: House,
  count: number,
  members: readonly Pick<TestPerson, "id">[],
  { channels = 3, roles = 3 }: Shape = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => Bun.randomUUIDv7());
  const created_at = Date.now();
  for (let i = 0; i < count; i += serversAtOnce) {
    const some = ids.slice(i, i + serversAtOnce);
    const rolesOf = new Map(some.map((id) => [id, Array.from({ length: roles }, () => Bun.randomUUIDv7())]));
    const rows = {
      servers: some.map((id) => ({
        ...{ id, name: "Home", icon: null, created_at },
        ...{ owner_id: members[0]?.id ?? "", member_count: members.length },
      })),
      streams: some.map((id) => ({ stream: serverStream(id), seq: 0, version: 1, last_id: "", cut_to: 0 })),
      members: some.flatMap((server_id) =>
        members.map(({ id }) => ({ server_id, user_id: id, joined_at: created_at, joined_id: lowestId })),
      ),
      roles: [...rolesOf].flatMap(([server_id, its]) =>
        its.map((id, position) => ({
          ...{ id, server_id, position, color: "#99aab5", permissions: 2047 },
          ...(position === 0
            ? { name: "@everyone", is_default: 1 }
            : { name: `role ${position}`, is_default: 0 }),
        })),
      ),
      member_roles: [...rolesOf].flatMap(([server_id, [, ...its]]) =>
        members.flatMap(({ id }) => its.slice(-1).map((role_id) => ({ server_id, user_id: id, role_id }))),
      ),
      channels: some.flatMap((server_id) =>
        Array.from({ length: channels }, (_, position) => ({
          ...{
            id: Bun.randomUUIDv7(),
            server_id,
            audience: "viewers",
            name: `channel ${position}`,
            position,
          },
          ...{ type: "text", category: null, created_at, deleted_at: null },
        })),
      ),
    };
    await house.database.transaction(async (db) => {
      for (const table of ["servers", "streams", "members", "roles", "member_roles", "channels"] as const) {
        if (rows[table].length > 0) await house.database.insertRows(db, table, rows[table], false);
      }
    });
  }
  return ids;
}
