// The actions on a message as menu items.
import type { MenuItem } from "../../../../web/ui/overlays/menu.tsx";
import type { Words } from "../../../../web/words/en.ts";
import { hasKey, type Verb } from "./verbs.ts";

export function menuItems(applying: readonly Verb[], words: Words, act: (verb: Verb) => void): MenuItem[] {
  return applying.map((verb) => ({
    id: verb.id,
    label: verb.label(words),
    icon: verb.icon,
    ...(hasKey(verb) && { keys: verb.keyName, spokenKeys: verb.spokenKey ?? verb.keyName }),
    ...(verb.isDanger && { isDanger: true }),
    ...(verb.isApart && { isApart: true }),
    onChoose: () => act(verb),
  }));
}
