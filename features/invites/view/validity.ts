// The validity of an invite as text: its uses and its expiry.
import { dateAndTime } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Invite } from "../contract.ts";

export function useValidity(): (invite: Invite) => string {
  const { inviteSettings: words } = useWords();
  return ({ expires_at, max_uses, uses }) => {
    const until = expires_at === null ? words.endless : words.until(dateAndTime(new Date(expires_at)));
    return `${words.used(uses, max_uses)} · ${until}`;
  };
}
