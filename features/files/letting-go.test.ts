// A file is removed with its preview a day after the last message that had it: rows, bytes and names. A file that no
// message had stays.
import { beforeAll, expect, spyOn, test } from "bun:test";
import { pictureOf } from "../../tests/house/material/images.ts";
import { onEachStore } from "../../tests/house/open/engines.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fetchFile, upload } from "../../tests/house/scenes/files.ts";
import { aDayLater, forgetNow, hoursLater } from "../../tests/house/scenes/forgotten.ts";
import { endLoggedUses, endUses } from "./access.ts";
import type { Attachment } from "./contract.ts";
import { letFilesGo } from "./letting-go.ts";
import { sumOfAllUploads, sumOfUploads } from "./store.ts";
import { releaseAt } from "./uses.ts";

const hourMs = 3600_000;

onEachStore("files of deleted messages", (house) => {
  let alice: TestPerson;
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  beforeAll(async () => {
    await house().quiet();
    alice = await house().person("alice");
    home = await alice.makeServer();
  });

  const database = () => house().running.house.database;
  const attach = (...files: Attachment[]) =>
    alice.say(home.general.id, "Look!", { attachments: files.map(({ url }) => url) });
  const status = async (url: string) => (await fetchFile(alice, url)).status;
  async function kept(url: string): Promise<boolean> {
    for await (const { name } of house().running.house.blobs.all()) if (url.endsWith(name)) return true;
    return false;
  }

  test("a picture goes with its preview, from the store as well, and the room that it took is free again", async () => {
    const before = await sumOfUploads(database().read, alice.id);
    const { count: countBefore } = await sumOfAllUploads(database().read);
    const picture = await upload(alice, "sun.png", await pictureOf("png", { width: 1000, height: 900 }));
    const loose = await upload(alice, "note.txt", "nobody has me");
    const preview = picture.preview_url ?? "";
    const { id } = await attach(picture);
    await alice.delete(`/messages/${id}`);
    await hoursLater(house(), 23);
    expect([await status(picture.url), await status(preview)]).toEqual([200, 200]);
    await hoursLater(house(), 1);
    expect([await status(picture.url), await status(preview)]).toEqual([404, 404]);
    expect([await kept(picture.url), await kept(preview), await kept(loose.url)]).toEqual([
      false,
      false,
      true,
    ]);
    expect(await status(loose.url)).toBe(200);
    expect(await sumOfUploads(database().read, alice.id)).toBe(before + loose.size);
    // A preview does not count as an uploaded file, before or now.
    expect((await sumOfAllUploads(database().read)).count).toBe(countBefore + 1);
    expect(await database().read.selectFrom("file_releases").selectAll().execute()).toEqual([]);
  });

  test("what is swept late brings nothing forward that was deleted since", async () => {
    const file = await upload(alice, "twice.txt", "two messages have me");
    const [first, second] = [await attach(file), await attach(file)];
    const filename = file.url.replace("/files/", "");
    const due = async () =>
      (
        await database()
          .read.selectFrom("file_releases")
          .selectAll()
          .where("filename", "=", filename)
          .execute()
      ).map(({ due_at }) => due_at);
    await alice.delete(`/messages/${second.id}`);
    const [later] = await due();
    const deletedAt = Date.now() - 20 * hourMs;
    await house().running.house.write((unit) =>
      endUses(unit, [{ url: file.url, messageId: first.id }], deletedAt),
    );
    expect(await due()).toEqual([later as number]);
    // Only the log may know of a message that went long ago: its files keep an earlier due time.
    await database().transaction((db) => releaseAt(db, [filename], deletedAt));
    await house().running.house.write((unit) =>
      endLoggedUses(unit, [{ url: file.url, messageId: first.id }]),
    );
    expect(await due()).toEqual([deletedAt]);
    await hoursLater(house(), 24);
    expect(await status(file.url)).toBe(404);
  });

  test("bytes that a crash left behind their row go at the next run", async () => {
    const file = await upload(alice, "crash.txt", "the row is gone");
    const filename = file.url.replace("/files/", "");
    await database().transaction(async (db) => {
      await db.deleteFrom("uploads").where("filename", "=", filename).execute();
      await db.insertInto("file_releases").values({ filename, due_at: Date.now() }).execute();
    });
    expect(await kept(file.url)).toBe(true);
    await forgetNow(house());
    expect(await kept(file.url)).toBe(false);
    expect(await database().read.selectFrom("file_releases").selectAll().execute()).toEqual([]);
  });

  test("a row whose bytes are gone already goes all the same, and many at once do", async () => {
    const files: Attachment[] = [];
    for (let i = 0; i < 45; i++) files.push(await upload(alice, `${i}.txt`, `file ${i}`));
    for (let i = 0; i < files.length; i += 5) {
      const { id } = await attach(...files.slice(i, i + 5));
      await alice.delete(`/messages/${id}`);
    }
    for (const { url } of files.slice(0, 3))
      await house().running.house.blobs.remove(url.replace("/files/", ""));
    await aDayLater(house());
    for (const { url } of files) expect([await status(url), await kept(url)]).toEqual([404, false]);
    expect(await database().read.selectFrom("file_releases").selectAll().execute()).toEqual([]);
  });

  test("a file of two messages, or of one message twice, stays until the last is a day gone", async () => {
    const file = await upload(alice, "both.txt", "in two places");
    const [one, other] = [await attach(file, file), await attach(file)];
    await alice.post(`/channels/${home.general.id}/messages/bulk-delete`, { message_ids: [one.id] });
    await aDayLater(house());
    expect(await status(file.url)).toBe(200);
    await alice.delete(`/messages/${other.id}`);
    await hoursLater(house(), 23);
    expect(await status(file.url)).toBe(200);
    await hoursLater(house(), 1);
    expect(await status(file.url)).toBe(404);
  });

  test("one that is attached again meanwhile stays, and goes with that message", async () => {
    const file = await upload(alice, "again.txt", "posted anew");
    await alice.delete(`/messages/${(await attach(file)).id}`);
    const anew = await attach(file);
    await aDayLater(house());
    expect(await status(file.url)).toBe(200);
    await alice.delete(`/messages/${anew.id}`);
    await aDayLater(house());
    expect(await status(file.url)).toBe(404);
    const late = await alice.post(`/channels/${home.general.id}/messages`, {
      content: "too late",
      attachments: [file.url],
    });
    expect(late.status).toBe(400);
  });

  test("one whose last message is deleted while the job comes to it has its day all the same", async () => {
    const file = await upload(alice, "meanwhile.txt", "in two places");
    const [one, other] = [await attach(file), await attach(file)];
    await alice.delete(`/messages/${one.id}`);
    await database().transaction((db) =>
      db
        .updateTable("file_releases")
        .set({ due_at: Date.now() - 1 })
        .execute(),
    );
    const running = house().running.house;
    const write = running.write.bind(running);
    const writing = spyOn(running, "write").mockImplementationOnce(async (work, ...rest) => {
      await alice.delete(`/messages/${other.id}`);
      return write(work, ...rest);
    });
    try {
      await letFilesGo.run(running);
      expect(writing).toHaveBeenCalled();
    } finally {
      writing.mockRestore();
    }
    await forgetNow(house());
    expect(await status(file.url)).toBe(200);
    await aDayLater(house());
    expect(await status(file.url)).toBe(404);
  });

  test("channels and servers take the files of their messages along", async () => {
    const other = await alice.makeServer();
    const channel = (await alice.post("/channels", { server_id: other.id, name: "attic", type: "text" }))
      .body;
    const files = [
      await upload(alice, "attic.txt", "up here"),
      await upload(alice, "general.txt", "down here"),
    ];
    await alice.say(String(channel.id), "Look!", { attachments: [files[0]?.url] });
    await alice.say(other.general.id, "Look!", { attachments: [files[1]?.url] });
    await alice.delete(`/channels/${channel.id}`);
    await forgetNow(house());
    await aDayLater(house());
    expect([await status(files[0]?.url ?? ""), await status(files[1]?.url ?? "")]).toEqual([404, 200]);
    await alice.delete(`/servers/${other.id}`);
    await forgetNow(house());
    await aDayLater(house());
    expect(await status(files[1]?.url ?? "")).toBe(404);
  });

  test("a time that a clock wrote which was ahead is brought back", async () => {
    const file = await upload(alice, "future.txt", "soon");
    await alice.delete(`/messages/${(await attach(file)).id}`);
    await database().transaction((db) =>
      db
        .updateTable("file_releases")
        .set({ due_at: Date.now() + 400 * 24 * hourMs })
        .execute(),
    );
    await forgetNow(house());
    expect(await status(file.url)).toBe(200);
    await aDayLater(house());
    expect(await status(file.url)).toBe(404);
  });

  test("files of messages that the release before wrote are noted first; the log names those of what it deleted", async () => {
    const [shared, named, living] = [
      await upload(alice, "shared.txt", "in an old and a new message"),
      await upload(alice, "named.txt", "of a message that is gone"),
      await upload(alice, "living.txt", "of an old message"),
    ];
    const [old, gone, kept] = [await attach(shared), await attach(named), await attach(living)];
    // As that release left them: without records of files.
    await database().transaction(async (db) => {
      await db.deleteFrom("file_uses").execute();
      await db.updateTable("messages").set({ files_noted: 0 }).execute();
      await db.deleteFrom("messages").where("id", "=", gone.id).execute();
    });
    await alice.delete(`/messages/${(await attach(shared)).id}`);
    await hoursLater(house(), 6);
    await aDayLater(house());
    expect([await status(shared.url), await status(living.url), await status(named.url)]).toEqual([
      200, 200, 404,
    ]);
    for (const { id } of [old, kept]) await alice.delete(`/messages/${id}`);
    await aDayLater(house());
    expect([await status(shared.url), await status(living.url)]).toEqual([404, 404]);
  });

  test("a file goes whose message that release deleted after it was noted", async () => {
    const file = await upload(alice, "beside.txt", "two releases side by side");
    const { id } = await attach(file);
    await database().transaction((db) => db.deleteFrom("messages").where("id", "=", id).execute());
    await hoursLater(house(), 6);
    await aDayLater(house());
    expect(await status(file.url)).toBe(404);
  });
});
