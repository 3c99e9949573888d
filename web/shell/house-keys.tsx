// The keyboard shortcuts that work everywhere in the house: the switcher at once, the others behind the first message.
import type { OwnServer } from "../../client/servers.ts";
import { type Command, command } from "../ui/keys/keys.ts";
import { useCommand } from "../ui/keys/use-command.ts";
import { following, laterWithKeys } from "../ui/loading/later.tsx";
import { openOver } from "../ui/loading/opened.tsx";
import type { useWords } from "../ui/words/words.ts";
import { useFocusGuard } from "./regions.ts";

const MoreKeys = following(async () => (await import("./more-keys.tsx")).MoreKeys);
const Switcher = laterWithKeys(async () => (await import("./switcher.tsx")).Switcher);

type KeyName = keyof ReturnType<typeof useWords>["shell"]["keyNames"];

export function named(id: KeyName, keys: string): Command {
  return command({ id, keys, name: ({ shell }) => shell.keyNames[id] });
}

const switcher = named("switcher", "$mod+k");

export interface HouseKeysProps {
  server: OwnServer | undefined;
  channelId: string | undefined;
}

export function HouseKeys(props: HouseKeysProps) {
  // Not behind the first message: that may never come, and the focus is lost with what stands in its place.
  useFocusGuard();
  useCommand(switcher, () =>
    openOver((close) => <Switcher serverId={props.server?.id} onClose={close} />, switcher.id),
  );
  return <MoreKeys {...props} />;
}
