// What people do with their own devices: one more session, one more browser that wants pushes.
import { createECDH, randomBytes } from "node:crypto";
import type { TestPerson } from "./people.ts";

export function signInAgain(person: TestPerson) {
  return person.post("/auth/login/password", { email: person.email, password: person.password });
}

/** A browser of a push service that nobody can reach: what is pushed to it stays undelivered. */
export function subscribe(person: TestPerson) {
  return person.post("/push/subscribe", {
    endpoint: `https://push.example/${crypto.randomUUID()}`,
    p256dh: createECDH("prime256v1").generateKeys("base64url"),
    auth: randomBytes(16).toString("base64url"),
  });
}
