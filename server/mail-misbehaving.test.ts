// A malicious mail server: a mail fails in time, with bounded bytes, and delays no other mail.
import { afterAll, expect, test } from "bun:test";
import { MisbehavingBackends } from "../tests/doubles/misbehaving-backends.ts";
import { mailMisdeeds, misdeeds } from "../tests/doubles/misdeeds.ts";
import { onOneProcess } from "../tests/house/open/engines.ts";
import { askedAtOnce } from "../tests/house/scenes/asked-at-once.ts";
import { Mailer } from "./mail.ts";
import { checkMailServer } from "./mail-check.ts";
import { openLog } from "./telemetry/log.ts";

const servers = await MisbehavingBackends.open([...misdeeds, ...mailMisdeeds], true);
afterAll(() => servers.close());

const { log } = openLog({ logLevel: "silent", secrets: [] });
const from = "Hearth <hearth@house.example>";
const email = { to: "alice@people.example", subject: "Hello", text: "Hello.\n" };
const patienceMs = 500;
const urlOf = (port: number) => `smtp://salmon:trout@127.0.0.1:${port}`;

onOneProcess(
  "a mail server that means ill",
  (house) => {
    test("each misdeed, all at once: no mail is taken, with a code of the failure", async () => {
      const found = await askedAtOnce(house(), servers, async ({ port }) => {
        const mailer = new Mailer({ url: urlOf(port), from }, log, patienceMs);
        return (await mailer.sendNow(email)) ?? "taken";
      });
      expect(Object.entries(found).filter(([, code]) => code === "taken" || code === "")).toEqual([]);
    });

    test("each misdeed, all at once: the check of the mail server fails in time", async () => {
      const found = await askedAtOnce(house(), servers, ({ port }) =>
        checkMailServer({ url: urlOf(port), from }, patienceMs).then(
          ({ verdict }) => verdict,
          (error) => (error instanceof Error ? "failed" : "no error"),
        ),
      );
      expect(new Set(Object.values(found))).toEqual(new Set(["failed"]));
    });
  },
  { LOG_LEVEL: "silent" },
);
