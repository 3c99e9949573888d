// Files on messages: authors attach uploads of their own, and every reader finds them there.
import { beforeAll, expect, test } from "bun:test";
import { onEachStore } from "../../tests/house/open/engines.ts";
import { TestBot } from "../../tests/house/people/bots.ts";
import type { TestPerson } from "../../tests/house/people/people.ts";
import { fetchFile, formOf, png, upload } from "../../tests/house/scenes/files.ts";
import { expectRefusal } from "../../tests/routes/error-body.ts";
import type { Attachment } from "../files/contract.ts";
import type { Message } from "./contract.ts";

onEachStore("attachments", (house) => {
  let [alice, bob]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;

  beforeAll(async () => {
    [alice, bob] = [await house().person("alice"), await house().person("bob")];
    home = await alice.makeServer();
    await alice.bringIn(home.id, bob);
  });

  const post = (body: unknown, by = alice) =>
    (by as TestPerson).post<Message>(`/channels/${home.general.id}/messages`, body);
  const page = async (by = bob) => (await by!.get<Message[]>(`/channels/${home.general.id}/messages`)).body;

  test("Alice posts two pictures and a text; Bob hears of them, finds them, and fetches them", async () => {
    const files = [await upload(alice!, "sun.png", png), await upload(alice!, "naïve ☕.txt", "coffee")];
    const ear = await bob!.listen();
    const { status, body } = await post({ content: "Look!", attachments: files.map(({ url }) => url) });
    expect([status, body.attachments]).toEqual([201, files]);

    const heard = await ear.next("MESSAGE_CREATE");
    expect(heard.data.attachments as unknown).toEqual(files);
    expect((await page())[0]?.attachments).toEqual(files);
    expect((await bob!.get<Message>(`/messages/${body.id}`)).body.attachments).toEqual(files);
    expect(await (await fetchFile(bob!, files[1]?.url ?? "")).text()).toBe("coffee");
    const corrected = await alice!.patch<Message>(`/messages/${body.id}`, { content: "Look again!" });
    expect(corrected.body.attachments).toEqual(files);
    ear.close();
  });

  test("a picture says enough: the text may be empty then, and only then", async () => {
    const { url } = await upload(alice!, "sun.png", png);
    for (const body of [
      { attachments: [url] },
      { content: "", attachments: [url] },
      { content: "  ", attachments: [url] },
    ]) {
      const answer = await post(body);
      expect([answer.status, answer.body.content, answer.body.attachments.length]).toEqual([201, "", 1]);
    }
    expectRefusal(await post({ content: "", attachments: [] }), "invalid_request");
    expectRefusal(await post({ content: " " }), "invalid_request");
  });

  test("null files are none, as null is no nonce and no answer to anything", async () => {
    const bare = { content: "Look!", attachments: null, reply_to: null, nonce: null };
    const { status, body } = await post(bare);
    expect([status, body.attachments, body.reply_to, body.nonce]).toEqual([201, [], null, null]);
    const first = await post({ ...bare, nonce: "none" });
    const again = await post({ content: "Look!", attachments: [], nonce: "none" });
    expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id]);
    expectRefusal(await post({ content: "", attachments: null }), "invalid_request");
  });

  test("the text beside a picture may be taken back, the text of a message that is nothing else may not", async () => {
    const { url } = await upload(alice!, "sun.png", png);
    const shown = (await post({ content: "Look!", attachments: [url] })).body;
    const emptied = await alice!.patch<Message>(`/messages/${shown.id}`, { content: " " });
    expect([emptied.status, emptied.body.content, emptied.body.attachments.length]).toEqual([200, "", 1]);
    const said = (await post({ content: "Look!" })).body;
    expectRefusal(await alice!.patch(`/messages/${said.id}`, { content: " " }), "invalid_request");
  });

  test("a nonce is for one message, its files included", async () => {
    const [one, two] = [await upload(alice!, "1.txt", "1"), await upload(alice!, "2.txt", "2")];
    const first = await post({ attachments: [one.url], nonce: "pictures" });
    const again = await post({ attachments: [one.url], nonce: "pictures" });
    expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id]);
    expectRefusal(await post({ attachments: [two.url], nonce: "pictures" }), "conflict");
    expectRefusal(await post({ attachments: [one.url, two.url], nonce: "pictures" }), "conflict");
    expectRefusal(await post({ content: "none", nonce: "pictures" }), "conflict");
  });

  test("ten of them in the order in which they were named, and not eleven", async () => {
    const files: Attachment[] = [];
    for (let i = 0; i < 11; i++) files.push(await upload(alice!, `${i}.txt`, String(i)));
    const urls = files.map(({ url }) => url).reverse();
    expectRefusal(await post({ content: "eleven", attachments: urls }), "invalid_request");
    const { body } = await post({ content: "ten", attachments: urls.slice(0, 10) });
    expect(body.attachments.map(({ name }) => name)).toEqual(
      [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((i) => `${i}.txt`),
    );
  });

  test("nobody posts what somebody else uploaded, or what is no upload; nothing is said or heard then", async () => {
    const { url } = await upload(alice!, "sun.png", png);
    const own = await upload(bob!, "mine.txt", "mine");
    const ear = await bob!.listen();
    const before = (await page()).length;
    for (const attachments of [
      [url],
      [own.url, url],
      ["/files/../uploads"],
      [`${own.url}?x`],
      [own.url.slice(1)],
      [`https://hearth.example${own.url}`],
      [`/api/v1${own.url}`],
      [own.url.replace("/files/", "")],
      ["/files/"],
      [""],
    ])
      expectRefusal(await post({ content: "Look!", attachments }, bob), "invalid_request");
    const refused = await post({ content: "Look!", attachments: [own.url, url] }, bob);
    expect((refused.body as unknown as { fields: unknown[] }).fields).toEqual([
      { path: "attachments.1", message: "is not an upload of yours" },
    ]);
    await ear.settle();
    expect(ear.heard("MESSAGE_CREATE")).toEqual([]);
    expect((await page()).length).toBe(before);
    ear.close();
  });

  test("a bot posts its own uploads, and not those of its owner", async () => {
    const bot = await TestBot.make(alice!);
    await bot.enter(home.id);
    const answer = await bot.call<Attachment>("POST", "/upload", formOf("report.csv", "a;b"));
    expect(answer.status).toBe(201);
    const posted = await bot.post<Message>(`/channels/${home.general.id}/messages`, {
      attachments: [answer.body.url],
    });
    expect(posted.body.attachments).toEqual([answer.body]);
    const ofAlice = await upload(alice!, "sun.png", png);
    const refused = await bot.post(`/channels/${home.general.id}/messages`, { attachments: [ofAlice.url] });
    expect(refused.status).toBe(400);
  });
});
