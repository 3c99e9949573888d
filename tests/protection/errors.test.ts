// T59: the answer to an internal error contains the request id and no details, and the request leaves nothing behind.
import { expect, test } from "bun:test";
import { sql } from "kysely";
import { movedSentence } from "../../server/database/moved.ts";
import { onOneProcess } from "../house/open/engines.ts";
import { send } from "../house/people/people.ts";
import { expectRefusal } from "../routes/error-body.ts";
import { expectSecurityHeaders } from "./security-headers.ts";

onOneProcess(
  "a failure of ours",
  (house) => {
    test("with a table gone under it, is 500 with the request id: no SQL, no path, no stack", async () => {
      const alice = await house().person("alice");
      const { database } = house().running.house;
      await database.transaction((db) => sql`alter table sessions rename to sessions_gone`.execute(db));
      const people = () => database.read.selectFrom("users").select("id").execute();
      const before = (await people()).length;

      const registration = {
        username: "late",
        email: "late@people.example",
        display_name: "L",
        password: "a password",
      };
      const login = { email: alice.username, password: alice.password };
      const answers = [
        await alice.get("/auth/sessions"),
        await alice.post("/auth/logout"),
        await send(house(), undefined, "POST", "/auth/register", registration),
        await send(house(), undefined, "POST", "/auth/login/password", login),
        await send(house(), `hs_${"x".repeat(43)}`, "GET", "/auth/me"),
      ];

      for (const answer of answers) {
        expectRefusal(answer, "internal");
        expectSecurityHeaders(answer.headers);
        expect(Object.keys(answer.body).sort()).toEqual(["code", "error", "request_id"]);
        expect(JSON.stringify(answer.body)).not.toMatch(
          /sql|sessions|table|relation|\.ts|\bat |\/tmp|insert|select/i,
        );
        expect(answer.headers.get("set-cookie")).toBeNull();
      }
      expect((await people()).length).toBe(before);
      expect((await fetch(`${house().url}/healthz`)).status).toBe(200);
    });
  },
  { LOG_LEVEL: "silent" },
);

onOneProcess(
  "a Hearth that has moved",
  (house) => {
    test("takes nothing any more and says so, with a minute to wait; what is there can be read", async () => {
      const alice = await house().person("alice");
      const { general } = await alice.makeServer();
      const { database } = house().running.house;
      const refuse = ["insert on messages", "insert on instance", "update on instance"];
      await database.transaction(async (db) => {
        if (database.engine === "postgres")
          await sql`create function moved() returns trigger language plpgsql as ${sql.lit(
            `begin raise exception '${movedSentence}' using errcode = '25006'; end`,
          )}`.execute(db);
        for (const [i, act] of refuse.entries()) {
          const trigger = `create trigger moved_${i} before ${act}`;
          const does =
            database.engine === "postgres"
              ? "for each row execute function moved()"
              : `begin select raise(abort, '${movedSentence}'); end`;
          await sql.raw(`${trigger} ${does}`).execute(db);
        }
      });
      // The second is refused by the write gate, where the engine has one.
      for (let time = 0; time < 2; time++) {
        const answer = await alice.post(`/channels/${general.id}/messages`, { content: "too late" });
        expectRefusal(answer, "unavailable");
        expect(answer.headers.get("retry-after")).toBe("60");
        expect(String(answer.body.error)).toStartWith("This Hearth has moved.");
      }
      expect((await alice.get(`/channels/${general.id}/messages`)).body).toEqual([] as never);
      const ready = await fetch(`${house().url}/readyz`);
      expect([ready.status, await ready.text()]).toEqual([
        200,
        expect.stringContaining(`\nNo writes are taken: ${movedSentence}`),
      ]);
    });
  },
  { LOG_LEVEL: "silent" },
);
