// Ten messages with a reaction from everybody, and events with very many RSVPs.
import { call } from "../../people.ts";
import type { Scene } from "../attack.ts";

export interface Fame {
  messages: string[];
  events: string[];
}

const emoji = ["👍", "❤️", "🎉", "😀"];

export const fame: Scene<Fame> = {
  name: "fame",
  async prepare({ origin, people, serverId, channelId }) {
    const [owner] = people;
    const ask = <Answer>(method: string, path: string, body: unknown) =>
      call<Answer>(origin, owner!, method, path, body);
    const messages: string[] = [];
    const events: string[] = [];
    while (messages.length < 10) {
      const message = { content: "This will go round the world." };
      const { id } = await ask<{ id: string }>("POST", `/channels/${channelId}/messages`, message);
      for (const each of emoji) await ask("POST", `/messages/${id}/reactions`, { emoji: each });
      messages.push(id);
    }
    while (events.length < 20) {
      const starts_at = new Date(Date.now() + 86_400_000).toISOString();
      const event = { title: "The concert of the year", starts_at };
      const { id } = await ask<{ id: string }>("POST", `/servers/${serverId}/events`, event);
      await ask("PUT", `/events/${id}/rsvp`, { status: "going" });
      events.push(id);
    }
    return { messages, events };
  },
  fill(filler, _, { messages, events }, some) {
    const reacting = Array.from({ length: some(100_000) / emoji.length }, () => Bun.randomUUIDv7());
    for (const message_id of messages) {
      for (const each of emoji) {
        const model = filler.row("reactions", { message_id, emoji: each });
        filler.copies(
          "reactions",
          model,
          reacting.map((user_id) => ({ user_id })),
        );
      }
      filler.raiseCounts(message_id, reacting.length);
    }
    const coming = Array.from({ length: some(50_000) }, () => Bun.randomUUIDv7());
    for (const event_id of events) {
      filler.copies(
        "rsvps",
        filler.row("rsvps", { event_id }),
        coming.map((user_id) => ({ user_id })),
      );
      filler.raiseCounts(event_id, coming.length);
    }
  },
};
