// Moving a channel: at once in the list, then at the server, and back when the server refuses.
import { CallError } from "../../../client/call.ts";
import type { Chat } from "../../../client/chat.ts";
import { withFields } from "../../../protocol/unchanged.ts";
import { showToast } from "../../../web/ui/toast.ts";
import { listChannels, updateChannel } from "../calls.ts";
import type { Channel } from "../contract.ts";
import { type Place, type Placed, placed } from "./order.ts";

export async function moveChannel(
  chat: Chat,
  { server_id, id }: Pick<Channel, "server_id" | "id">,
  place: Place,
  /** Said where the server could not be asked. */
  failed: string,
): Promise<void> {
  const channels = chat.state.copy?.servers.find((server) => server.id === server_id)?.channels ?? [];
  const changes = placed(channels, id, place);
  show(chat, server_id, changes);
  try {
    for (const { id, position, category } of changes) {
      await updateChannel({ params: { id }, body: { position, category } });
    }
  } catch (error) {
    const { passes, message } = CallError.from(error);
    showToast({ text: passes ? failed : message, isAlert: true });
    // What the server has now; where it cannot be asked, the next READY says it.
    const now = await listChannels({ query: { server_id } }).catch(() => undefined);
    if (now) show(chat, server_id, now);
  }
}

function show(chat: Chat, serverId: string, changes: readonly Placed[]): void {
  const byId = new Map(changes.map(({ id, position, category }) => [id, { position, category }]));
  chat.change((copy) => ({
    ...copy,
    servers: copy.servers.map((server) =>
      server.id === serverId
        ? {
            ...server,
            channels: server.channels.map((each) => withFields<Channel>(each, byId.get(each.id) ?? {})),
          }
        : server,
    ),
  }));
}
