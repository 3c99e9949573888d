// Describes when a passkey was created and last used.
import { agoOf } from "../../../../web/ui/words/times.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { Passkey } from "./sign-in-page.tsx";

export function useUses({ created_at, last_used_at }: Passkey): string[] {
  const { signIn: words } = useWords();
  return [
    words.created(agoOf(new Date(created_at))),
    last_used_at ? words.used(agoOf(new Date(last_used_at))) : words.unused,
  ];
}
