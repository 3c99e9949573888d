// Passkeys in a real browser: Chromium makes one, signs in with it, and hides its secrets from scripts.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { callFrom, loginWithPasskey, registerPasskey } from "./ceremonies.ts";
import { BuiltInKey } from "./chromium.ts";
import { inChromium, journey, patienceMs } from "./scene.ts";

inChromium("passkeys", (scene) => {
  let page: Page;
  let key: BuiltInKey;
  let people = 0;

  beforeEach(async () => {
    // The scripts stand in for a web client with a policy of its own.
    const context = await scene.browser.newContext({ bypassCSP: true });
    page = await context.newPage();
    await page.goto(at("localhost"));
    key = await BuiltInKey.plugInto(page);
  }, patienceMs);
  afterEach(() => page.context().close(), patienceMs);

  /** An address without a page: ours asks for passkeys by itself, and a browser has one challenge at a time. */
  function at(host: string): string {
    return `http://${host}:${new URL(scene.url).port}/api/v1/instance`;
  }

  /** Registers a person, who is then signed in. */
  async function somebody(): Promise<string> {
    const username = `alice_${++people}`;
    const email = `${username}@people.example`;
    const account = { username, email, display_name: "Alice ☀️", password: "correct horse battery" };
    const { status, body } = await callFrom<{ id: string }>(page, "POST", "/auth/register", account);
    expect(status).toBe(201);
    return body.id;
  }

  test(
    "Alice registers one, signs out, and signs in with it, again and again",
    async () => {
      const id = await somebody();
      const made = await registerPasskey(page, "This machine");
      expect(made).toMatchObject({ status: 201, body: { name: "This machine" } });
      expect(await key.ids()).toEqual([made.body.id]);

      for (let i = 0; i < 2; i++) {
        expect((await callFrom(page, "POST", "/auth/logout")).status).toBe(204);
        expect((await callFrom(page, "GET", "/auth/me")).status).toBe(401);
        const signedIn = await loginWithPasskey(page);
        expect(signedIn).toEqual({ status: 200, body: { id }, token: expect.stringMatching(/^hs_/) });
        expect(await callFrom(page, "GET", "/auth/me")).toMatchObject({ status: 200, body: { id } });
      }
      const { body } = await callFrom<{ last_used_at: string | null }[]>(
        page,
        "GET",
        "/auth/webauthn/credentials",
      );
      expect(body).toMatchObject([{ id: made.body.id, last_used_at: expect.any(String) }]);
    },
    journey,
  );

  test(
    "no script sees the session's cookie or the challenge's",
    async () => {
      await somebody();
      await registerPasskey(page, "This machine");
      expect(await page.evaluate<unknown>("document.cookie")).toBe("");
      const cookies = await page.context().cookies();
      const told = cookies.map(({ name, httpOnly, sameSite, path }) => ({ name, httpOnly, sameSite, path }));
      expect(told.sort((one, other) => one.name.localeCompare(other.name))).toEqual([
        { name: "app_session", httpOnly: true, sameSite: "Lax", path: "/" },
        { name: "hearth_challenge", httpOnly: true, sameSite: "Strict", path: "/" },
      ]);
    },
    journey,
  );

  test(
    "a key that has one for this account makes no second, and opens nothing once it is deleted here",
    async () => {
      await somebody();
      const made = await registerPasskey(page, "This machine");
      expect(await registerPasskey(page, "Again")).toMatchObject({ body: { name: "InvalidStateError" } });
      const gone = await callFrom(page, "DELETE", `/auth/webauthn/credentials/${made.body.id}`);
      expect(gone.status).toBe(204);
      await callFrom(page, "POST", "/auth/logout");
      expect(await loginWithPasskey(page)).toMatchObject({ status: 401, token: null });
    },
    journey,
  );

  test(
    "a key that does not recognise its owner is not asked for less",
    async () => {
      await somebody();
      await registerPasskey(page, "This machine");
      await key.recognisesOwner(false);
      expect(await loginWithPasskey(page)).toMatchObject({ body: { name: "NotAllowedError" } });
    },
    journey,
  );

  test(
    "by its number the same house has no passkeys: browsers want a name, and localhost is one",
    async () => {
      await page.goto(at("127.0.0.1"));
      await somebody();
      expect(await registerPasskey(page, "This machine")).toMatchObject({ body: { name: "SecurityError" } });
    },
    journey,
  );
});
