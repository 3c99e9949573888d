// The keyboard shortcuts of the house that are loaded right behind the first message: ways, regions, the list of keys.
import { useLocation } from "wouter";
import { CallError } from "../../client/call.ts";
import type { Copy } from "../../client/copy.ts";
import type { OwnServer } from "../../client/servers.ts";
import { wantsReading } from "../../client/unread.ts";
import type { OwnChannel } from "../../features/channels/state.ts";
import { inOrder } from "../../features/channels/view/order.ts";
import { listedIn } from "../../features/direct/view/listed.ts";
import { markServerRead } from "../../features/read-states/calls.ts";
import { announce } from "../ui/browser/announce.ts";
import "../ui/browser/by-touch.ts";
import { useMembersPanel } from "../ui/browser/panel.ts";
import { isMac } from "../ui/keys/keys.ts";
import { useCommand } from "../ui/keys/use-command.ts";
import { laterWithKeys } from "../ui/loading/later.tsx";
import { openOver } from "../ui/loading/opened.tsx";
import { paths } from "../ui/navigation/paths.ts";
import { useHouse } from "../ui/session/house.tsx";
import { useWords } from "../ui/words/words.ts";
import { type HouseKeysProps, named } from "./house-keys.tsx";
import { addressOf } from "./places.ts";
import { focusNextRegion } from "./regions.ts";

const KeySheet = laterWithKeys(async () => (await import("./key-sheet.tsx")).KeySheet);

const serverUp = named("serverUp", "Control+Alt+ArrowUp");
const serverDown = named("serverDown", "Control+Alt+ArrowDown");
const channelUp = named("channelUp", "Alt+ArrowUp");
const channelDown = named("channelDown", "Alt+ArrowDown");
const unreadUp = named("unreadUp", "Alt+Shift+ArrowUp");
const unreadDown = named("unreadDown", "Alt+Shift+ArrowDown");
// On a Mac, Alt and an arrow key move by words in a text field.
const historyBack = named("historyBack", isMac ? "$mod+[" : "Alt+ArrowLeft");
const historyForward = named("historyForward", isMac ? "$mod+]" : "Alt+ArrowRight");
const nextRegion = named("nextRegion", "F6");
const lastRegion = named("lastRegion", "Shift+F6");
const members = named("members", "$mod+u");
const markRead = named("markRead", "Shift+Escape");
const sheet = named("sheet", "$mod+[Shift]+/");

export function MoreKeys({ server, channelId }: HouseKeysProps) {
  const { shell: words } = useWords();
  const panel = useMembersPanel();
  useWays({ server, channelId });
  useCommand(sheet, () => openOver((close) => <KeySheet onClose={close} />, sheet.id));
  useCommand(nextRegion, () => focusNextRegion(1));
  useCommand(lastRegion, () => focusNextRegion(-1));
  useCommand(members, () => panel.toggle());
  useCommand(markRead, () => {
    if (!server) return;
    markServerRead({ params: { id: server.id } })
      .then(() => announce(words.markedRead(server.name)))
      .catch((error: unknown) => announce(CallError.from(error).message));
  });
  return null;
}

/** The shortcuts for navigation. */
function useWays({ server, channelId }: HouseKeysProps): void {
  const { chat } = useHouse();
  const [, navigate] = useLocation();
  const copy = () => chat.state.copy;
  const goTo = (to: string | undefined) => {
    if (to !== undefined) navigate(to);
  };
  useCommand(serverUp, () => goTo(serverBeside(copy(), server, -1)));
  useCommand(serverDown, () => goTo(serverBeside(copy(), server, 1)));
  useCommand(channelUp, () => goTo(channelBeside(copy(), server, channelId, -1)));
  useCommand(channelDown, () => goTo(channelBeside(copy(), server, channelId, 1)));
  useCommand(unreadUp, () => goTo(unreadBeside(copy(), channelId, -1)));
  useCommand(unreadDown, () => goTo(unreadBeside(copy(), channelId, 1)));
  useCommand(historyBack, () => history.back());
  useCommand(historyForward, () => history.forward());
}

type Step = 1 | -1;

/** The direct conversations are the first of the strip. */
function serverBeside(copy: Copy | undefined, server: OwnServer | undefined, step: Step): string | undefined {
  const next = beside([undefined, ...(copy?.servers ?? [])], (each) => each?.id === server?.id, step);
  return next ? addressOf(next) : paths.server(null);
}

/** Without a server these are the conversations. */
function channelBeside(
  copy: Copy | undefined,
  server: OwnServer | undefined,
  channelId: string | undefined,
  step: Step,
): string | undefined {
  const list = server ? inOrder(server.channels) : copy && listedIn(copy.direct);
  const next = list && beside<OwnChannel>(list, ({ id }) => id === channelId, step);
  return next && paths.channel(next);
}

/** Returns the path of the next unread channel or conversation, starting at the open one. */
function unreadBeside(copy: Copy | undefined, channelId: string | undefined, step: Step): string | undefined {
  if (!copy) return undefined;
  const all = [...listedIn(copy.direct), ...copy.servers.flatMap((server) => inOrder(server.channels))];
  const some = all.filter((channel) => channel.id === channelId || wantsReading(copy, channel));
  const next = beside(some, ({ id }) => id === channelId, step);
  return next && next.id !== channelId ? paths.channel(next) : undefined;
}

/** Returns the item after or before the current one, wrapping around. */
function beside<T>(list: readonly T[], isHere: (each: T) => boolean, step: Step): T | undefined {
  const at = list.findIndex(isHere);
  const from = at < 0 && step < 0 ? 0 : at;
  return list[(from + step + list.length) % list.length];
}
