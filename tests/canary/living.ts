// People who write unique words into everything that can hold text, and delete most of it; and the files to search.
import { Database as Sqlite } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "../../features/messages/contract.ts";
import { pictureOf } from "../house/material/images.ts";
import { TestBot } from "../house/people/bots.ts";
import { send, type TestPerson } from "../house/people/people.ts";
import { upload } from "../house/scenes/files.ts";

export type Home = Awaited<ReturnType<TestPerson["makeServer"]>>;

/** The words, by the name of the place that each was written into. */
class Canaries {
  readonly words = new Map<string, string>();

  of(what: string): string {
    const word = `canary${randomBytes(9).toString("hex")}`;
    this.words.set(what, word);
    return word;
  }

  /** Returns the names of the places whose words these bytes contain. */
  in(bytes: string | Buffer): string[] {
    return [...this.words].flatMap(([what, word]) => (bytes.includes(word) ? [what] : [])).sort();
  }
}

/** The words of deleted texts (`gone`), and those of the others (`kept`). */
export interface Said {
  gone: Canaries;
  kept: Canaries;
  /** Ids of uploaded files that go, and of those that stay. */
  goneFiles: string[];
  keptFiles: string[];
}

/** Alice, Bob, a bot and a webhook write messages, which are then deleted in every way there is. */
export async function live(alice: TestPerson, bob: TestPerson, home: Home): Promise<Said> {
  const said: Said = { gone: new Canaries(), kept: new Canaries(), goneFiles: [], keptFiles: [] };
  const { gone, kept } = said;
  const { id: channelId } = home.general;
  const remove = (id: string, by: TestPerson | TestBot = alice) => by.delete(`/messages/${id}`);
  const file = async (words: Canaries, what: string) => {
    const attached = await upload(
      alice,
      `${words.of(`${what}: the name of a file`)}.txt`,
      words.of(`${what}: what is in a file`),
    );
    words.words.set(`${what}: the address of a file`, attached.url.replace("/files/", "").slice(0, 20));
    return attached.url;
  };
  const open = async (name: string) => {
    const body = { server_id: home.id, name, type: "text" };
    return String((await alice.post("/channels", body)).body.id);
  };

  // Singly: a long text, which takes database pages of its own, with files and a picture, and a reply to it.
  const picture = await upload(
    alice,
    `${gone.of("the name of a picture")}.png`,
    await pictureOf("png", { width: 1000, height: 900 }),
  );
  said.goneFiles.push(await file(gone, "alone"), picture.url, picture.preview_url ?? "");
  const alone = await alice.say(channelId, `@${bob.username} ${gone.of("alone")} ${"la ".repeat(1200)}`, {
    attachments: [said.goneFiles[0], picture.url],
    nonce: "alone",
  });
  const answer = await bob.say(channelId, gone.of("an answer"), { reply_to: alone.id });
  await remove(alone.id);
  await remove(answer.id, bob);
  // Edited; and edited, then deleted.
  const corrected = await alice.say(channelId, gone.of("before a correction"));
  await alice.patch(`/messages/${corrected.id}`, { content: gone.of("between corrections") });
  await alice.patch(`/messages/${corrected.id}`, { content: kept.of("after a correction") });
  const both = await alice.say(channelId, gone.of("corrected and deleted"));
  await alice.patch(`/messages/${both.id}`, { content: gone.of("deleted after a correction") });
  await remove(both.id);
  // In bulk, by several authors.
  const bulk = [];
  for (let i = 0; i < 12; i++)
    bulk.push(
      (await (i % 2 ? alice : bob).say(channelId, `${gone.of(`bulk ${i}`)} ${"lo ".repeat(30 * i)}`)).id,
    );
  await alice.post(`/channels/${channelId}/messages/bulk-delete`, { message_ids: bulk });
  // By a bot and by a webhook.
  const bot = await TestBot.make(alice);
  await bot.enter(home.id);
  await remove((await bot.say(channelId, gone.of("a bot"))).id, bot);
  const webhook = (await alice.post(`/channels/${channelId}/webhooks`, { name: "Canary" })).body;
  const body = {
    content: gone.of("a webhook"),
    username: gone.of("a webhook's name"),
    avatar_url: `https://pictures.example/${gone.of("a webhook's picture")}`,
  };
  const hooked = await send<Message>(
    alice.host,
    undefined,
    "POST",
    `/webhooks/${webhook.id}/${webhook.token}?wait=true`,
    body,
  );
  await remove(hooked.body.id);
  // Along with their channel.
  const attic = await open("attic");
  said.goneFiles.push(await file(gone, "channel"));
  await alice.say(attic, gone.of("a channel"), { attachments: [said.goneFiles.at(-1)] });
  await bob.get(`/channels/${attic}/messages`);
  // Kept: a message with its file, which a deleted message had too, and a file without any message.
  said.keptFiles.push(await file(kept, "living"), await file(kept, "loose"));
  await alice.say(channelId, kept.of("living"), { attachments: [said.keptFiles[0]] });
  await remove((await alice.say(channelId, gone.of("beside"), { attachments: [said.keptFiles[0]] })).id);
  await alice.delete(`/channels/${attic}`);
  return said;
}

/** Creates and deletes a server of Alice's with a message in it. */
export async function lostServer(alice: TestPerson, { gone }: Said): Promise<void> {
  const lost = await alice.makeServer("Lost");
  await alice.say(lost.general.id, gone.of("a server"));
  await alice.get(`/channels/${lost.general.id}/messages`);
  await alice.delete(`/servers/${lost.id}`);
}

/** The files of a data folder, after a checkpoint of SQLite's WAL into the database. */
export function checkpointed(dataDir: string): Buffer {
  const database = new Sqlite(join(dataDir, "hearth.db"));
  database.run("PRAGMA busy_timeout = 5000");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return allFilesIn(dataDir);
}

export function allFilesIn(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Buffer.concat(files.map(({ parentPath, name }) => bytesOf(join(parentPath, name))));
}

/** Empty for a file that was deleted during the search. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return Buffer.alloc(0);
  }
}
