// Suggests commands of bots, with their bots, while somebody types one. Completing writes the text.
import { useEffect, useState, useSyncExternalStore } from "react";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { fitting } from "../../messages/view/composer/matching.ts";
import type { Suggestion } from "../../messages/view/composer/suggestion.ts";
import type { Sign } from "../../messages/view/composer/tokens.ts";
import { listServerCommands } from "../calls.ts";
import type { Command } from "../contract.ts";

interface Props {
  serverId: string | null;
  sign: Sign;
  query: string;
  onFound(found: readonly Suggestion[]): void;
}

const most = 8;

export function CommandSuggestions({ serverId, sign, query, onFound }: Props) {
  return sign === "/" && serverId !== null ? (
    <Commands serverId={serverId} query={query} onFound={onFound} />
  ) : null;
}

function Commands({ serverId, query, onFound }: Omit<Props, "sign"> & { serverId: string }) {
  const { commands: words } = useWords();
  const { members } = useHouse();
  const commands = useCommands(serverId);
  const known = useSyncExternalStore(members.subscribe, () => members.of(serverId));
  useEffect(() => {
    const bots = new Map(known.map(({ user }) => [user.id, user]));
    const found = fitting(commands, query, ({ name }) => [name], most);
    members.want(serverId, new Set(found.map(({ bot_id }) => bot_id)));
    onFound(
      found.map(({ id, bot_id, name, description }) => ({
        key: id,
        label: `/${name}`,
        insert: `/${name}`,
        note: words.ofBot(bots.get(bot_id)?.display_name ?? "", description),
        icon: "command",
      })),
    );
  }, [commands, known, members, serverId, query, onFound, words]);
  useEffect(() => () => onFound([]), [onFound]);
  return null;
}

/** Fetches the commands each time one is begun: bots change them at any time, and no event says so. */
function useCommands(serverId: string): readonly Command[] {
  const [commands, setCommands] = useState<readonly Command[]>([]);
  useEffect(() => {
    const stop = new AbortController();
    // Without the list nothing is suggested; a command can be typed in full.
    listServerCommands({ params: { serverID: serverId } }, stop.signal).then(setCommands, () => {});
    return () => stop.abort();
  }, [serverId]);
  return commands;
}
