// People's own devices in tests: a further session, and a browser that subscribes to pushes.
import { createECDH, randomBytes } from "node:crypto";
import type { TestPerson } from "./people.ts";

export function signInAgain(person: TestPerson) {
  return person.post("/auth/login/password", { email: person.email, password: person.password });
}

/** Subscribes a browser of an unreachable push service: its pushes stay undelivered. */
export function subscribe(person: TestPerson) {
  return person.post("/push/subscribe", {
    endpoint: `https://push.example/${crypto.randomUUID()}`,
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  });
}
