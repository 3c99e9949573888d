// Unsaved changes of all roles of a server together, so that another role can be opened meanwhile.
import { useMemo, useRef } from "react";
import { type PermissionName, permission } from "../../../protocol/permissions.ts";
import { type Draft, useDraft } from "../../../web/ui/settings/draft.ts";
import { updateRole } from "../calls.ts";
import type { Role } from "../contract.ts";

type Values = Record<string, string | boolean>;

/** Keyed by `roleKey`. */
export type RolesDraft = Draft<Values>;

/** The permissions are fields of their own: others may change the rest of them meanwhile. */
export type EditedField = "name" | "color" | PermissionName;

const rights = Object.keys(permission) as PermissionName[];

export function roleKey(role: Role, field: EditedField): string {
  return `${role.id} ${field}`;
}

/** Discards the changes of one role. */
export function discardRole(draft: RolesDraft, role: Role): void {
  for (const [key, value] of valuesOf(role)) draft.set(key, value);
}

export function useRolesDraft(roles: readonly Role[]): RolesDraft {
  // The last values of a deleted role stay, so that discarding its changes leaves none.
  const last = useRef<Values>({});
  const saved = useMemo(() => {
    last.current = { ...last.current, ...Object.fromEntries(roles.flatMap(valuesOf)) };
    return last.current;
  }, [roles]);
  return useDraft(saved, (changes) => send(roles, changes));
}

function valuesOf(role: Role): [string, string | boolean][] {
  return [
    [roleKey(role, "name"), role.name],
    [roleKey(role, "color"), role.color],
    ...rights.map((right): [string, boolean] => [
      roleKey(role, right),
      (role.permissions & permission[right]) !== 0,
    ]),
  ];
}

/** Sends one call for each changed role that still exists; the calls before a failed one are saved. */
async function send(roles: readonly Role[], changes: Partial<Values>): Promise<void> {
  for (const role of roles) {
    const changed = (field: EditedField) => changes[roleKey(role, field)];
    const switched = rights.filter((right) => changed(right) !== undefined);
    const body = {
      ...asText("name", changed("name")),
      ...asText("color", changed("color")),
      ...(switched.length > 0 && {
        permissions: switched.reduce(
          (bits, right) => (changed(right) ? bits | permission[right] : bits & ~permission[right]),
          role.permissions,
        ),
      }),
    };
    if (Object.keys(body).length === 0) continue;
    await updateRole({ params: { serverID: role.server_id, roleID: role.id }, body });
  }
}

function asText(field: "name" | "color", value: string | boolean | undefined) {
  return typeof value === "string" ? { [field]: value } : {};
}
