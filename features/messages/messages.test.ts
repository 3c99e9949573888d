// Messages: posting, reading, correcting and deleting them.
import { describe, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import type { Message } from "./contract.ts";

onEachEngine("messages", (house) => {
  describe("posting", () => {
    test("Alice posts and Bob, who listens, hears it live and reads it later", async () => {
      const [alice, bob] = [await house().person("alice"), await house().person("bob")];
      const home = await alice.makeServer();
      await alice.bringIn(home.id, bob);
      const ear = await bob.listen();

      const posted = await alice.post<Message>(`/channels/${home.general.id}/messages`, {
        content: "  Hello, Bob!  ",
      });

      expect(posted.status).toBe(201);
      expect(posted.body.content).toBe("Hello, Bob!");
      const heard = await ear.next("MESSAGE_CREATE");
      expect(heard.data as unknown).toEqual(posted.body);
      expect(heard.server_id).toBe(home.id);
      const page = await bob.get<Message[]>(`/channels/${home.general.id}/messages`);
      expect(page.body).toEqual([posted.body]);
      expect(page.headers.get("X-Has-More")).toBe("false");
    });

    test("the same nonce posts once, and another text under it is a conflict", async () => {
      const alice = await house().person("alice");
      const { general } = await alice.makeServer();
      const first = await alice.post<Message>(`/channels/${general.id}/messages`, {
        content: "once",
        nonce: "n-1",
      });
      const again = await alice.post<Message>(`/channels/${general.id}/messages`, {
        content: "once",
        nonce: "n-1",
      });
      const other = await alice.post(`/channels/${general.id}/messages`, { content: "twice", nonce: "n-1" });

      expect([first.status, again.status, other.status]).toEqual([201, 200, 409]);
      expect(again.body.id).toBe(first.body.id);
      expect((await alice.get<Message[]>(`/channels/${general.id}/messages`)).body).toHaveLength(1);
    });

    test("twenty parallel posts with one nonce make one message", async () => {
      const alice = await house().person("alice");
      const { general } = await alice.makeServer();
      const posts = Array.from({ length: 20 }, () =>
        alice.post<Message>(`/channels/${general.id}/messages`, { content: "once", nonce: "n-1" }),
      );
      const answers = await Promise.all(posts);
      expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
      expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    });
  });
});
