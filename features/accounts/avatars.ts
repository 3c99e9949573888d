// The address of an account's picture: of its own one, or of the one that the avatar service draws.
import { createHash } from "node:crypto";
import type { House } from "../../server/house/house.ts";
import type { UsersTable } from "./store.ts";

/** Returns the URL of the picture that the avatar service draws for an e-mail address: what `avatarOf` reads. */
export function avatarFor(house: House, email: string): string {
  const hash = createHash("sha256").update(email.trim().toLowerCase()).digest("hex");
  return `${serviceOf(house) ?? ""}${hash}?d=identicon`;
}

/**
 * Returns the picture of an account: its own one, else that of the avatar service; null while that service is off. The
 * service is the present one, wherever it was when the account was made.
 */
export function avatarOf(house: House, row: Pick<UsersTable, "avatar" | "own_avatar">): string | null {
  if (row.own_avatar !== null) return ownAvatarUrl(house, row.own_avatar);
  const service = serviceOf(house);
  return service && row.avatar && service + row.avatar.slice(row.avatar.lastIndexOf("/") + 1);
}

/** Returns the address of the avatar service, with one slash at its end; null when it is off. */
function serviceOf({ config }: House): string | null {
  return config.avatarUrl?.replace(/(?<!\/)\/*$/, "/") ?? null;
}

/** Returns the URL of an own picture by its name, of an account or a server: `ownPicture` of protocol/ reads it. */
export function ownAvatarUrl(house: House, name: string): string {
  return `${house.publicUrl}/avatars/${name}.webp`;
}
