// Signed request bodies: Schemathesis could not guess them, and each is good for one call.
import { randomUUID } from "node:crypto";
import { TestBrowser } from "../house/people/browser.ts";
import type { TestPerson } from "../house/people/people.ts";
import type { Outside } from "./outside.ts";
import type { Host } from "./things.ts";

/** A signed body for an operation, and the headers that it needs. */
export interface Signed {
  operation: string;
  body: Record<string, unknown>;
  /** Cookies in addition to the session's. */
  cookie?: string;
  authorization?: string;
  /** The caller's session token; the call is anonymous without one. */
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

/** JSON as Schemathesis writes it, since every byte is signed: in one line, with a space after each comma and colon. */
function asSent(body: Record<string, unknown>): string {
  return JSON.stringify(body, null, 1)
    .replace(/,\n\s*/g, ", ")
    .replace(/\n\s*/g, "");
}
