// The column "Bot" of permissions.md: the endpoints for people only, where bots are refused before any other check.
import { expect, test } from "bun:test";
import { onEachEngine } from "../house/open/engines.ts";
import { TestBot } from "../house/people/bots.ts";
import { routes } from "../routes/walk.ts";
import { verdict } from "./verdict.ts";

/** Endpoints at which the table lists 403 for a bot, whatever roles it has. */
const forPeople = new Set([
  "POST /auth/logout",
  "GET /auth/me",
  "PATCH /auth/me",
  "PUT /auth/me/password",
  "PUT /auth/me/avatar",
  "DELETE /auth/me/avatar",
  "PUT /auth/me/presence",
  "GET /auth/me/availability",
  "PUT /auth/me/availability",
  "GET /auth/sessions",
  "DELETE /auth/sessions/{}",
  "POST /auth/webauthn/register/begin",
  "POST /auth/webauthn/register/finish",
  "GET /auth/webauthn/credentials",
  "DELETE /auth/webauthn/credentials/{}",
  "POST /servers",
  "PATCH /servers/{}",
  "PUT /servers/{}/icon",
  "DELETE /servers/{}/icon",
  "DELETE /servers/{}",
  "POST /servers/{}/owner",
  "POST /invites",
  "GET /invites/{}",
  "POST /invites/{}/join",
  "DELETE /invites/{}",
  "GET /servers/{}/invites",
  "POST /bots",
  "GET /bots",
  "PATCH /bots/{}",
  "PUT /bots/{}/avatar",
  "DELETE /bots/{}/avatar",
  "DELETE /bots/{}",
  "POST /bots/{}/regenerate-token",
  "POST /bots/{}/servers",
  "GET /push/vapid-public-key",
  "POST /push/subscribe",
  "POST /push/unsubscribe",
  "GET /gifs/search",
  "GET /gifs/trending",
  "GET /pictures",
  "POST /badges",
  "DELETE /badges/{}",
  "GET /users/{}/badges",
  "PUT /users/{}/badges/{}",
  "DELETE /users/{}/badges/{}",
  "PUT /channels/{}/read",
  "POST /servers/{}/read",
  "GET /notification-settings",
  "PUT /servers/{}/notification-settings",
  "PUT /channels/{}/notification-settings",
  "GET /auth/me/push-settings",
  "PUT /auth/me/push-settings",
  "PUT /auth/me/server-order",
  "POST /channels/{}/call",
  "DELETE /channels/{}/call",
  "GET /blocks",
  "PUT /blocks/{}",
  "DELETE /blocks/{}",
  "GET /admin/users",
  "PATCH /admin/users/{}",
  "POST /admin/users/{}/reset-link",
  "DELETE /admin/users/{}/sessions",
  "GET /admin/servers",
  "GET /admin/storage",
  "GET /admin/health",
  "POST /admin/test-mail",
  "POST /admin/test-push",
  "GET /admin/settings",
  "PUT /admin/settings",
]);

const signedIn = routes.filter(({ operation }) => operation.caller !== "public");

test("bots are kept out of exactly what the table keeps them out of", () => {
  const wrong = signedIn.flatMap(({ operation: { method, path, caller } }) => {
    const route = `${method} ${path.replace(/\{\w+\}/g, "{}")}`;
    return forPeople.has(route) === (caller === "person") ? [] : [`${route} says ${caller}`];
  });
  expect(wrong).toEqual([]);
});

onEachEngine("bots at every operation", (house) => {
  test("where only people may go a bot is told so first, whatever it brings along", async () => {
    const bot = await TestBot.make(await house().person("alice"));
    const answers: Record<string, string> = {};
    for (const { operation, unknownPath } of signedIn) {
      const body = operation.method === "GET" ? undefined : "{ not json";
      const answer = await bot.call<{ error?: string }>(operation.method, unknownPath, body);
      const isKeptOut = answer.status === 403 && answer.body.error === "Bots cannot do this.";
      if (isKeptOut !== (operation.caller === "person") || answer.status === 401 || answer.status >= 500) {
        answers[`${operation.method} ${operation.path}`] = verdict(answer);
      }
    }
    expect(answers).toEqual({});
  });
});
