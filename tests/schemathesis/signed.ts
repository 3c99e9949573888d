// Bodies that count by what somebody signed: none of them could be guessed, and each is good for one call.
import { randomUUID } from "node:crypto";
import { TestBrowser } from "../house/people/browser.ts";
import type { TestPerson } from "../house/people/people.ts";
import type { Outside } from "./outside.ts";
import type { Host } from "./things.ts";

/** What an operation takes, and what has to come along. */
export interface Signed {
  operation: string;
  body: Record<string, unknown>;
  /** Cookies besides the session's. */
  cookie?: string;
  authorization?: string;
  /** Whose call it is; nobody's without one. */
  session?: string;
}

export async function signedBodies(host: Host, person: TestPerson, { media }: Outside): Promise<Signed[]> {
  const browser = new TestBrowser(host);
  await browser.register(person);
  const login = await browser.beginLogin();
  const assertion = browser.key.get(login.publicKey);
  const another = await browser.beginRegistration(person);
  const told = media.eventOf("room_started", randomUUID());
  return [
    { operation: "loginWithPasskey", body: assertion, cookie: login.cookie },
    {
      operation: "addPasskey",
      body: browser.key.create(another.publicKey),
      cookie: another.cookie,
      session: person.token,
    },
    {
      operation: "receiveVoiceWebhook",
      body: told,
      authorization: (await media.signatureOf(asSent(told))).Authorization ?? "",
    },
  ];
}

/** The signature is over every byte, and Schemathesis writes JSON in one line with a blank behind each sign. */
function asSent(body: Record<string, unknown>): string {
  return JSON.stringify(body, null, 1)
    .replace(/,\n\s*/g, ", ")
    .replace(/\n\s*/g, "");
}
