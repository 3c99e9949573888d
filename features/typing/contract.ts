// Typing: a transient signal that a person is writing, never stored.
import { z } from "zod";
import { event } from "../../protocol/event.ts";
import { operation } from "../../protocol/operation.ts";
import { id } from "../../protocol/shapes.ts";
import * as kinds from "./events.ts";

export const startTyping = operation({
  name: "startTyping",
  method: "POST",
  path: "/channels/{id}/typing",
  summary: "Tell the others in a channel that the caller is writing",
  caller: "account",
  lane: "read",
  params: z.object({ id }),
  answers: { 204: { description: "They have been told" } },
  errors: ["forbidden"],
});

export const typingFrame = z
  .object({ channel_id: id })
  .meta({ description: "Tells the others in a channel that one is writing" });

export const typingStarted = event(kinds.typingStarted, {
  summary: "Somebody is writing in a channel",
  data: z.object({ channel_id: id, user_id: id }),
  happensIn: "channel",
  live: true,
});
