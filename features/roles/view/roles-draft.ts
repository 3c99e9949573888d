// Unsaved changes of all roles of a server together, so that another role can be opened meanwhile.
import { useMemo, useRef } from "react";
import { type Draft, useDraft } from "../../../web/ui/settings/draft.ts";
import { updateRole } from "../calls.ts";
import type { Role } from "../contract.ts";

/** Keyed by `roleKey`. */
export type RolesDraft = Draft<Record<string, string | number>>;

const edited = ["name", "color", "permissions"] as const;

export type EditedField = (typeof edited)[number];

export function roleKey(role: Role, field: EditedField): string {
  return `${role.id} ${field}`;
}

/** Discards the changes of one role. */
export function discardRole(draft: RolesDraft, role: Role): void {
  for (const field of edited) draft.set(roleKey(role, field), role[field]);
}

export function useRolesDraft(roles: readonly Role[]): RolesDraft {
  // The last values of a deleted role stay, so that discarding its changes leaves none.
  const last = useRef<Record<string, string | number>>({});
  const saved = useMemo(() => {
    last.current = { ...last.current, ...savedOf(roles) };
    return last.current;
  }, [roles]);
  return useDraft(saved, (changes) => send(roles, changes));
}

function savedOf(roles: readonly Role[]): Record<string, string | number> {
  return Object.fromEntries(
    roles.flatMap((role) => edited.map((field) => [roleKey(role, field), role[field]])),
  );
}

/** Sends one call for each changed role that still exists; the calls before a failed one are saved. */
async function send(
  roles: readonly Role[],
  changes: Readonly<Partial<Record<string, string | number>>>,
): Promise<void> {
  for (const role of roles) {
    const body = Object.fromEntries(
      edited.flatMap((field) => {
        const value = changes[roleKey(role, field)];
        return value === undefined ? [] : [[field, value]];
      }),
    );
    if (Object.keys(body).length === 0) continue;
    await updateRole({ params: { serverID: role.server_id, roleID: role.id }, body });
  }
}
