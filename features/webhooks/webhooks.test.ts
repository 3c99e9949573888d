// Webhooks: created and deleted by people who manage channels, and posting with nothing but the URL.
import { beforeAll, beforeEach, expect, test } from "bun:test";
import { permission } from "../../protocol/permissions.ts";
import { newId } from "../../server/tokens.ts";
import { insisted } from "../../tests/house/machine/insisted.ts";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { type Loose, send, type TestPerson } from "../../tests/house/people/people.ts";
import { fill } from "../../tests/house/scenes/crowd.ts";
import { verdict, verdicts } from "../../tests/permissions/verdict.ts";
import type { Message } from "../messages/contract.ts";
import type { Webhook } from "./contract.ts";

type NewWebhook = Webhook & { token: string; url: string };

onEachEngine("webhooks", (house) => {
  let [olga, bob]: TestPerson[] = [];
  let home: Awaited<ReturnType<TestPerson["makeServer"]>>;
  let hook: NewWebhook;

  beforeAll(async () => {
    [olga, bob] = await Promise.all(["olga", "bob"].map((name) => house().person(name)));
  });
  beforeEach(async () => {
    home = await olga!.makeServer();
    await olga!.bringIn(home.id, bob!);
    hook = (await make("Builds")).body;
  });

  const make = (name: string, by = olga) =>
    by!.post<NewWebhook>(`/channels/${home.general.id}/webhooks`, { name });
  const call = (body: unknown, query = "", { id, token } = hook, headers: Record<string, string> = {}) =>
    send<Message>(house(), undefined, "POST", `/webhooks/${id}/${token}${query}`, body, headers);
  const messages = async () => (await bob!.get<Message[]>(`/channels/${home.general.id}/messages`)).body;

  test("Olga makes one and is told its token and address, once; the list has neither", async () => {
    expect(hook).toEqual({
      id: hook.id,
      channel_id: home.general.id,
      name: "Builds",
      created_at: hook.created_at,
      token: expect.stringMatching(/^hw_[A-Za-z0-9_-]{43}$/),
      url: `${house().publicUrl}/webhooks/${hook.id}/${hook.token}`,
    });
    const { token: _, url: __, ...listed } = hook;
    const second = (await make("Alarms")).body;
    const list = await olga!.get<Webhook[]>(`/channels/${home.general.id}/webhooks`);
    expect(list.body[0]).toEqual(listed);
    expect(list.body.map((each) => each.id)).toEqual([hook.id, second.id]);
    expect(second.token).not.toBe(hook.token);
  });

  test("it posts through its address as it was given: 204, a message of its own kind, heard by Bob", async () => {
    const ear = await bob!.listen();
    const answer = await fetch(hook.url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ content: "  Build 7 is green  " }),
    });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    const { data } = await ear.next("MESSAGE_CREATE");
    expect(data as unknown).toMatchObject({
      channel_id: home.general.id,
      server_id: home.id,
      content: "Build 7 is green",
      author: { id: hook.id, username: "Builds", display_name: "Builds", avatar: null, kind: "webhook" },
      reply_to: null,
      nonce: null,
      attachments: [],
    });
    const [said] = await messages();
    expect(said as unknown).toEqual(data as unknown);
    ear.close();
  });

  test("?wait=true answers the message; below /api/v1 the address is the same", async () => {
    const answer = await call({ content: "Tea is ready" }, "?wait=true");
    expect(answer.status).toBe(200);
    expect([answer.body]).toEqual(await messages());
    expect((await call({ content: "Still" }, "?wait=false")).status).toBe(204);
    expect(verdict(await call({ content: "x" }, "?wait=perhaps"))).toBe("400 invalid_request");
    expect(await messages()).toHaveLength(2);
  });

  test("a message may bring its own name and picture; the next one has the webhook's again", async () => {
    const avatar_url = "https://pictures.example/robot.png";
    await call({ content: "one", username: " Robot 🤖 ", avatar_url });
    await call({ content: "two", username: null, avatar_url: null });
    const [two, one] = await messages();
    expect(one?.author).toEqual({
      id: hook.id,
      username: "Robot 🤖",
      display_name: "Robot 🤖",
      avatar: avatar_url,
      kind: "webhook",
    });
    expect(two?.author).toMatchObject({ username: "Builds", avatar: null });
  });

  for (const [what, unset] of Object.entries({
    "an empty name": { username: "" },
    "a blank name": { username: " \n" },
    "an empty picture": { avatar_url: "" },
    "both empty": { username: "", avatar_url: "" },
    "a picture of the network at home, in clear": { avatar_url: "http://nas.lan/a.png" },
    "a picture in clear, in capitals": { avatar_url: "HTTP://nas.lan/a.png" },
  }))
    test(`${what} keeps no alarm from being posted: it has the webhook's own`, async () => {
      expect((await call({ content: "disk full", ...unset })).status).toBe(204);
      const [posted] = await messages();
      expect(posted?.content).toBe("disk full");
      expect(posted?.author).toMatchObject({ username: "Builds", avatar: null });
    });

  const refused: Record<string, unknown> = {
    "no content": {},
    "empty content": { content: " \n " },
    "4001 characters": { content: "x".repeat(4001) },
    "a name that turns the text": { content: "x", username: "nimda\u202e" },
    "a name with something invisible": { content: "x", username: "Ad\u200bmin" },
    "81 characters of name": { content: "x", username: "n".repeat(81) },
    "a picture that is no address": { content: "x", avatar_url: "a.png" },
    "a picture that is a script": { content: "x", avatar_url: "javascript:alert(1)" },
    "a picture that is data": { content: "x", avatar_url: "data:image/png;base64,AAAA" },
    "a picture nowhere": { content: "x", avatar_url: "https://" },
    "a picture in clear with a long address": {
      content: "x",
      avatar_url: `http://p.example/${"x".repeat(2048)}`,
    },
    "a picture with a long address": { content: "x", avatar_url: `https://p.example/${"x".repeat(2048)}` },
    "a list": ["x"],
  };
  test("odd bodies are 400, and nothing is posted or heard (T25)", async () => {
    const ear = await bob!.listen();
    for (const [what, body] of Object.entries(refused)) {
      const answer = await call(body);
      expect([what, verdict(answer)]).toEqual([what, "400 invalid_request"]);
      // Each body has one fault, which is reported once.
      expect([what, (answer.body as { fields?: unknown[] }).fields?.length]).toEqual([what, 1]);
    }
    expect((await call({ content: "é".repeat(4000), username: "n".repeat(80) })).status).toBe(204);
    await ear.settle();
    expect(ear.heard("MESSAGE_CREATE")).toHaveLength(1);
    expect(await messages()).toHaveLength(1);
    ear.close();
  });

  test("it mentions people, but neither everybody nor a role, whoever made it", async () => {
    const role = (
      await olga!.post<{ id: string }>(`/servers/${home.id}/roles`, {
        name: "Keepers",
        permissions: 0,
        position: 1,
      })
    ).body;
    const content = `@everyone, @Keepers and <@&${role.id}>: @${bob!.username} did it`;
    const { body } = await call({ content, mentions: { everyone: true } }, "?wait=true");
    expect(body.content).toBe(content);
    expect(body.mentions).toEqual({ user_ids: [bob!.id], role_ids: [], everyone: false });
  });

  test("fields of a person's message are not its: no answer to, no nonce, no files", async () => {
    const said = await bob!.say(home.general.id, "Who is there?");
    const { body } = await call(
      { content: "I", reply_to: said.id, nonce: "n", attachments: ["/files/x.png"], author_id: bob!.id },
      "?wait=true",
    );
    expect(body).toMatchObject({ reply_to: null, nonce: null, attachments: [] });
  });

  test("nobody corrects what it said; MANAGE_MESSAGES may take it away, and nobody else", async () => {
    const said = (await call({ content: "Oops" }, "?wait=true")).body;
    const path = `/messages/${said.id}`;
    expect(verdict(await olga!.patch(path, { content: "mine" }))).toBe("403 author_only");
    expect(verdict(await bob!.delete(path))).toBe("403 forbidden");
    await olga!.giveRole(home.id, bob!, permission.MANAGE_MESSAGES);
    expect(verdict(await bob!.patch(path, { content: "mine" }))).toBe("403 author_only");
    const ear = await olga!.listen();
    expect((await bob!.delete(path)).status).toBe(204);
    expect((await ear.next("MESSAGE_DELETE")).data.id as unknown).toBe(said.id);
    expect(await messages()).toEqual([]);
    ear.close();
  });

  test("an unknown webhook and a wrong token are answered alike (T24)", async () => {
    const other = (await make("Other")).body;
    const body = { content: "Let me in" };
    const wrong = [
      { id: hook.id, token: other.token },
      { id: other.id, token: hook.token },
      { id: home.id, token: hook.token },
      { id: hook.id, token: "hw_short" },
      { id: hook.id, token: hook.token.toUpperCase() },
      { id: hook.id, token: `${hook.token}x` },
      { id: hook.id.toUpperCase().replace(/^\d/, "F"), token: hook.token },
      { id: "not-an-id", token: hook.token },
      { id: hook.id, token: "%00" },
    ];
    const answers = [];
    for (const each of wrong) answers.push(await call(body, "", each as NewWebhook));
    const told = answers.map(({ status, body }) =>
      JSON.stringify([status, { ...(body as unknown as Loose), request_id: undefined }]),
    );
    expect(new Set(told).size).toBe(1);
    expect(verdict(answers[0]!)).toBe("404 not_found");
    expect(await messages()).toEqual([]);
  });

  test("sessions are not looked at: none is needed, and neither a good nor a bad one changes anything", async () => {
    const carol = await house().person("carol");
    const credentials: Record<string, string>[] = [
      { Authorization: "Bearer hs_nonsense" },
      { Authorization: `Bearer ${carol.token}` },
      { Cookie: "app_session=bad; app_session=worse" },
      { Cookie: `app_session=${bob!.token}` },
    ];
    for (const headers of credentials) {
      const answer = await call({ content: "x" }, "?wait=true", hook, headers);
      expect([answer.status, answer.body.author.kind]).toEqual([200, "webhook"]);
    }
    expect(verdict(await bob!.post(`/webhooks/${hook.id}/${bob!.token}`, { content: "x" }))).toBe(
      "404 not_found",
    );
  });

  test("a foreign page cannot make a browser post, at either address (T52)", async () => {
    for (const address of [hook.url, `${house().publicUrl}/api/v1/webhooks/${hook.id}/${hook.token}`]) {
      for (const headers of [
        { Origin: "https://evil.example" },
        { Origin: "null" },
        { "Sec-Fetch-Site": "cross-site" },
      ]) {
        const answer = await fetch(address, {
          method: "POST",
          headers: headers as never,
          body: '{"content":"x"}',
        });
        expect(answer.status).toBe(403);
        expect(((await answer.json()) as Loose).code as unknown).toBe("untrusted_origin");
      }
      for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
        const answer = await fetch(address, { method });
        expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      }
      for (const other of [`${address}/`, address.replace("/webhooks/", "/webhooks//")]) {
        expect((await fetch(other, { method: "POST", body: '{"content":"x"}' })).status).toBe(404);
      }
    }
    expect(await messages()).toEqual([]);
  });

  test("only those who manage channels make, list and end webhooks; a viewer reads nothing of them (T23)", async () => {
    const path = `/channels/${home.general.id}/webhooks`;
    const carol = await house().person("carol");
    const tries = async (who: TestPerson) =>
      verdicts([
        await who.post(path, { name: "Mine" }),
        await who.get(path),
        await who.delete(`/webhooks/${hook.id}`),
      ]);
    expect(await tries(bob!)).toEqual(["403 forbidden", "403 forbidden", "403 forbidden"]);
    expect(await tries(carol)).toEqual(["404 not_found", "404 not_found", "404 not_found"]);
    await olga!.giveRole(home.id, bob!, permission.MANAGE_CHANNELS);
    expect(await tries(bob!)).toEqual(["201", "200", "204"]);
    expect(verdict(await bob!.delete(`/webhooks/${hook.id}`))).toBe("404 not_found");
    for (const name of ["", "n".repeat(81), "a\u202eb", 7, null]) {
      expect(verdict(await olga!.post(path, { name }))).toBe("400 invalid_request");
    }
  });

  test("a server has room for 250, in however many channels", async () => {
    const rooms = await Promise.all(
      Array.from({ length: 17 }, (_, i) =>
        insisted(() => olga!.post<{ id: string }>("/channels", { server_id: home.id, name: `room ${i}` })),
      ),
    );
    const rows = Array.from({ length: 235 }, (_, i) => ({
      ...{ id: newId(), channel_id: rooms[Math.floor(i / 15)]?.body.id ?? "", server_id: home.id },
      ...{ name: "one", token_hash: newId(), created_at: Date.now() },
    }));
    await fill(house(), "webhooks", rows);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        insisted(() => olga!.post(`/channels/${rooms[15 + (i % 2)]?.body.id}/webhooks`, { name: "one" })),
      ),
    );
    // There were 236, including the one from before; ten of them are in the first of these rooms.
    expect(verdicts(answers).filter((each) => each === "201")).toHaveLength(14);
    expect(new Set(verdicts(answers))).toEqual(new Set(["201", "409 conflict"]));
    expect(verdict(await make("one more"))).toBe("409 conflict");
    await olga!.delete(`/webhooks/${hook.id}`);
    expect(verdict(await make("in its place"))).toBe("201");
  });

  test("a channel has room for 15, also when many are made at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 18 }, (_, i) => insisted(() => make(`hook ${i}`))),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(14);
    expect(verdict(await make("one more"))).toBe("409 conflict");
    await olga!.delete(`/webhooks/${hook.id}`);
    expect((await make("one more")).status).toBe(201);
  });

  test("what is stored of a token is its SHA-256", async () => {
    const db = house().running.house.database.read;
    const rows = await db.selectFrom("webhooks").selectAll().where("id", "=", hook.id).execute();
    expect(JSON.stringify(rows)).not.toContain(hook.token.slice(3));
    const hash = new Bun.CryptoHasher("sha256").update(hook.token).digest("base64url");
    expect(rows.map((row) => row.token_hash)).toEqual([hash]);
  });
});
