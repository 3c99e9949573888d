// Makes links that set a new password: by e-mail for a person who asks, and for the operator's command line.

import { createHash } from "node:crypto";
import { resetPasswordPath } from "../../protocol/links.ts";
import type { UnitOfWork } from "../../server/house/unit.ts";
import { newToken, tokenHash } from "../../server/tokens.ts";
import { lockUser } from "../accounts/access.ts";
import {
  countLinks,
  insertLink,
  linkLivesMs,
  spendLinks,
  spendLinksMadeBy,
  updateReplaced,
} from "./store.ts";

/** The address to open, and until when it counts. */
export interface ResetLink {
  url: string;
  expiresAt: number;
}

/**
 * A new link for this account, which makes older links void; undefined when the account is gone or disabled, or has had
 * `most` links in the last hour. Its host is the configured one, never one that a request names; the token stands
 * behind the #, so that browsers keep it from servers, logs and referrers.
 */
export async function makeLink(
  unit: UnitOfWork,
  userId: string,
  most = Number.POSITIVE_INFINITY,
): Promise<ResetLink | undefined> {
  const user = await lockUser(unit, userId);
  if (!user || user.is_bot === 1 || user.disabled_at !== null) return undefined;
  const now = Date.now();
  if ((await countLinks(unit.db, userId, now)) >= most) return undefined;
  const token = newToken("hr_");
  await spendLinks(unit.db, userId, now, { madeByAdmins: false });
  await insertLink(unit.db, {
    token_hash: tokenHash(token),
    user_id: userId,
    replaces: passwordMark(user),
    created_at: now,
    spent_at: null,
    made_by: unit.caller?.userId ?? null,
  });
  return { url: unit.house.publicUrl + resetPasswordPath(token), expiresAt: now + linkLivesMs };
}

/** Makes all links of the account void. */
export async function voidLinks(unit: UnitOfWork, userId: string): Promise<void> {
  await spendLinks(unit.db, userId, Date.now(), { madeByAdmins: false });
}

/** Makes all links of the account void that admins of the instance made. */
export async function voidLinksByAdmins(unit: UnitOfWork, userId: string): Promise<void> {
  await spendLinks(unit.db, userId, Date.now(), { madeByAdmins: true });
}

/** Makes all links void that this admin made: they no longer have the power that the links came from. */
export async function voidLinksMadeBy(unit: UnitOfWork, makerId: string): Promise<void> {
  await spendLinksMadeBy(unit.db, makerId, Date.now());
}

/** Keeps the links of an account good whose password stays the same under another hash. */
export async function keepLinks(
  unit: UnitOfWork,
  userId: string,
  before: string,
  after: string,
): Promise<void> {
  await updateReplaced(unit.db, userId, {
    from: passwordMark({ password_hash: before }),
    to: passwordMark({ password_hash: after }),
  });
}

/** Stays the same until the stored hash changes, because each hash has its own salt. */
export function passwordMark(user: { password_hash: string | null }): string {
  return createHash("sha256")
    .update(user.password_hash ?? "")
    .digest("base64url");
}
