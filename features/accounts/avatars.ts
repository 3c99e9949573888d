// The address of an account's picture: of its own one, or of the one that the avatar service draws.
import { createHash } from "node:crypto";
import type { House } from "../../server/house/house.ts";
import type { UsersTable } from "./store.ts";

/** Returns the URL of the picture that the avatar service draws for an e-mail address; null when the service is off. */
export function avatarFor(house: House, email: string): string | null {
  const { avatarUrl } = house.config;
  if (!avatarUrl) return null;
  const hash = createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
  return `${avatarUrl.replace(/(?<!\/)\/*$/, "/")}${hash}?d=identicon`;
}

/**
 * Returns the picture of an account: its own one, else that of the avatar service; null while that service is off, even
 * if it drew one before.
 */
export function avatarOf(house: House, row: Pick<UsersTable, "avatar" | "own_avatar">): string | null {
  if (row.own_avatar !== null) return ownAvatarUrl(house, row.own_avatar);
  return house.config.avatarUrl ? row.avatar : null;
}

/** Returns the URL of an own picture by its name, of an account or a server: `ownPicture` of protocol/ reads it. */
export function ownAvatarUrl(house: House, name: string): string {
  return `${house.publicUrl}/avatars/${name}.webp`;
}
