// The test mail to the admin who asks for it: it arrives, or the response says why not.
import { afterAll, expect, test } from "bun:test";
import { onEachEngine } from "../../tests/house/open/engines.ts";
import { Logged } from "../../tests/house/scenes/logged.ts";
import { MailBox } from "../../tests/house/servers/mail-box.ts";
import { verdict } from "../../tests/permissions/verdict.ts";

const box = await MailBox.open();
afterAll(() => box.close());

onEachEngine(
  "a test mail",
  (house) => {
    test("goes to the caller's own address and names the instance; the log says who asked for it", async () => {
      const olga = await house().person("olga");
      await olga.put("/admin/settings", { name: "The Fireside" });
      using log = new Logged(house(), "info");
      expect(verdict(await olga.post("/admin/test-mail"))).toBe("204");
      const [line] = log.calls.map(([first]) => first as unknown);
      expect(line).toEqual({ by: olga.id });
      // The response came only after the mail server had taken the mail.
      const mails = box.mails.filter(({ to }) => to.includes(olga.email));
      expect(mails).toHaveLength(1);
      expect(mails[0]?.raw).toContain("Subject: A test mail from The Fireside");
      expect(mails[0]?.text).toContain(house().publicUrl);
    });

    test("that the mail server refuses is told to the caller, and not tried again", async () => {
      const olga = await house().person("anna");
      await house().running.house.write(({ db }) =>
        db.updateTable("users").set({ instance_role: "admin" }).where("id", "=", olga.id).execute(),
      );
      const { tries } = box;
      for (const refusal of [451, 550]) {
        box.refusals.push(refusal);
        const answer = await olga.post<{ error: string }>("/admin/test-mail");
        expect(verdict(answer)).toBe("503 unavailable");
        expect(answer.body.error).toContain(`(${refusal})`);
      }
      expect(box.tries).toBe(tries + 2);
      expect(box.mails.filter(({ to }) => to.includes(olga.email))).toEqual([]);
    });

    test("is sent one at a time; more than a few at once are refused", async () => {
      const olga = await house().person("otto");
      await house().running.house.write(({ db }) =>
        db.updateTable("users").set({ instance_role: "admin" }).where("id", "=", olga.id).execute(),
      );
      const answers = await Promise.all(Array.from({ length: 8 }, () => olga.post("/admin/test-mail")));
      const sent = answers.filter(({ status }) => status === 204).length;
      expect(sent).toBeGreaterThanOrEqual(3);
      expect(answers.filter(({ status }) => status !== 204).map(verdict)).toEqual(
        Array(8 - sent).fill("429 rate_limited"),
      );
      expect(box.mails.filter(({ to }) => to.includes(olga.email))).toHaveLength(sent);
    });

    test("does not flood an address: five in a row to one, then three a minute", async () => {
      const olga = await house().person("ida");
      await house().running.house.write(({ db }) =>
        db.updateTable("users").set({ instance_role: "admin" }).where("id", "=", olga.id).execute(),
      );
      const { length: processes } = house().all;
      const begun = performance.now();
      let refused = 0;
      for (let i = 0; i < 5 * processes + 5 || refused === 0; i++) {
        const answer = await olga.post("/admin/test-mail");
        if (answer.status === 204) continue;
        expect(verdict(answer)).toBe("429 rate_limited");
        expect(Number(answer.headers.get("retry-after"))).toBeWithin(1, 21);
        refused++;
      }
      const ofEach = 5 + Math.floor((performance.now() - begun) / 20_000);
      const mails = box.mails.filter(({ to }) => to.includes(olga.email));
      expect(mails.length).toBeWithin(5, ofEach * processes + 1);
    });
  },
  { ...box.settings, LOG_LEVEL: "silent" },
);

onEachEngine("without mail", (house) => {
  test("a test mail is told that none is set up", async () => {
    expect(verdict(await (await house().person("olga")).post("/admin/test-mail"))).toBe("503 not_configured");
  });
});
