// Creates links that set a new password: by e-mail on request, and for the operator's command line.

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

/** The URL, and the time when it expires. */
export interface ResetLink {
  url: string;
  expiresAt: number;
}

/**
 * Creates a link for this account and voids older ones; undefined if the account is deleted or disabled, or has had
 * `most` links in the last hour. The host is the configured one, never one from a request; the token is in the
 * fragment, so that browsers keep it from servers, logs and referrers.
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

/** Voids all links of the account. */
export async function voidLinks(unit: UnitOfWork, userId: string): Promise<void> {
  await spendLinks(unit.db, userId, Date.now(), { madeByAdmins: false });
}

/** Voids all links of the account that admins of the instance created. */
export async function voidLinksByAdmins(unit: UnitOfWork, userId: string): Promise<void> {
  await spendLinks(unit.db, userId, Date.now(), { madeByAdmins: true });
}

/** Voids all links that this admin created: they have lost the role that allowed it. */
export async function voidLinksMadeBy(unit: UnitOfWork, makerId: string): Promise<void> {
  await spendLinksMadeBy(unit.db, makerId, Date.now());
}

/** Keeps an account's links valid when the same password is stored with a new hash. */
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

/** Returns a fingerprint of the stored hash. It changes with every new hash, because each has its own salt. */
export function passwordMark(user: { password_hash: string | null }): string {
  return createHash("sha256")
    .update(user.password_hash ?? "")
    .digest("base64url");
}
