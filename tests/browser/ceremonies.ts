// Passkeys in a web client, as scripts for a page: nothing but fetch and the browser's own WebAuthn.
import type { Page } from "playwright-core";

interface Answered<T> {
  status: number;
  body: T;
  token: string | null;
}

const call = `async (method, path, body) => {
  const response = await fetch("/api/v1" + path, {
    method,
    ...(body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const token = response.headers.get("x-session-token");
  return { status: response.status, body: text === "" ? null : JSON.parse(text), token };
}`;

export function callFrom<T>(page: Page, method: string, path: string, body?: unknown): Promise<Answered<T>> {
  return page.evaluate(`(${call})(${JSON.stringify([method, path, body]).slice(1, -1)})`);
}

/** Returns the server's answer, or the name of the browser's error. */
export function registerPasskey(page: Page, name: string): Promise<Answered<{ id: string; name: string }>> {
  return page.evaluate(`(async () => {
    const call = ${call};
    const { body } = await call("POST", "/auth/webauthn/register/begin");
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body.publicKey);
    const made = await navigator.credentials.create({ publicKey });
    return call("POST", "/auth/webauthn/register/finish", { ...made.toJSON(), name: ${JSON.stringify(name)} });
  })().catch((error) => ({ status: 0, body: { name: error.name }, token: null }))`);
}

export function loginWithPasskey(page: Page): Promise<Answered<{ id: string; name?: string }>> {
  return page.evaluate(`(async () => {
    const call = ${call};
    const { body } = await call("POST", "/auth/webauthn/login/begin");
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body.publicKey);
    const said = await navigator.credentials.get({ publicKey });
    return call("POST", "/auth/webauthn/login/finish", said.toJSON());
  })().catch((error) => ({ status: 0, body: { name: error.name }, token: null }))`);
}
