// Posts the conversation of the screenshots into the main channel, with files and reactions.
import type { Channel } from "../../features/channels/contract.ts";
import type { Message } from "../../features/messages/contract.ts";
import type { Said, Who } from "./community.ts";
import { conversation } from "./conversation.ts";
import { drawPhotograph } from "./drawings.ts";
import type { Neighbour } from "./neighbour.ts";

const dayMs = 24 * 60 * 60_000;

type Speakers = Record<Who, Neighbour> & { bot: Neighbour; webhook: string };

/** Returns the ids of messages by their keys, and the time of each message in milliseconds since 1970. */
export async function talk(speakers: Speakers, main: Channel) {
  const said = new Map<string, string>();
  const times = new Map<string, number>();
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  for (const { daysAgo, said: those } of conversation) {
    let second = 0;
    for (const each of those) {
      const message = await sayOne(speakers, main, each, said);
      const [hours = 0, minutes = 0] = each.at.split(":").map(Number);
      times.set(message.id, today - daysAgo * dayMs + (hours * 60 + minutes) * 60_000 + second++ * 500);
      if (each.key) said.set(each.key, message.id);
      said.set("newest", message.id);
      for (const [emoji, those] of Object.entries(each.reactions ?? {}))
        for (const who of those)
          await speakers[who].done("POST", `/messages/${message.id}/reactions`, { emoji });
    }
  }
  return { said, times };
}

async function sayOne(
  speakers: Speakers,
  main: Channel,
  { who, text, answers, picture, file, isEdited }: Said,
  said: ReadonlyMap<string, string>,
): Promise<Message> {
  if (who === "webhook") return executed(speakers.webhook, text);
  const speaker = speakers[who];
  const attachments: string[] = [];
  if (picture) {
    const drawn = new Uint8Array(await drawPhotograph(picture));
    attachments.push(await speaker.upload(`${picture}-glass.png`, "image/png", drawn));
  }
  if (file) attachments.push(await speaker.upload(file.name, "application/pdf", pages(file.size)));
  const more = { reply_to: answers === undefined ? null : said.get(answers), attachments };
  if (!isEdited) return speaker.say(main.id, text, more);
  const message = await speaker.say(main.id, text.toLowerCase(), more);
  return speaker.done<Message>("PATCH", `/messages/${message.id}`, { content: text });
}

async function executed(url: string, content: string): Promise<Message> {
  const response = await fetch(`${url}?wait=true`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ content }),
  });
  if (!response.ok) throw new Error(`the webhook: ${response.status} ${await response.text()}`);
  return (await response.json()) as Message;
}

/** Returns `size` bytes that pass for a PDF document. */
function pages(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode("%PDF-1.7\n%âãÏÓ\n"));
  return bytes;
}
