// Asking what a member can do in a channel: the right to, and the dialog.
import { permission } from "../../../protocol/permissions.ts";
import { holdKeys } from "../../../web/ui/browser/held-keys.ts";
import { lazily } from "../../../web/ui/browser/lazily.ts";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { withWords } from "../../../web/ui/words/words.ts";

export const WhyDialog = lazily(
  async () => (await withWords("pages", withWords("rest", import("./settings/why-dialog.tsx")))).WhyDialog,
  undefined,
  holdKeys,
);

/** True if the reader is this member, or holds MANAGE_SERVER. */
export function useMayAskWhy(permissions: number, userId: string): boolean {
  const ownId = useCopy(({ user }) => user.id);
  return userId === ownId || (permissions & permission.MANAGE_SERVER) !== 0;
}
