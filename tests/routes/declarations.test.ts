// The declaration of every operation: who may call it, its lane, and its answers.
import { describe, expect, test } from "bun:test";
import { errorStatus } from "../../protocol/errors.ts";
import { placeholders, routes, titleOf } from "./walk.ts";

test("no two operations have one name, nor one method and path", () => {
  const names = routes.map(({ operation }) => operation.name);
  expect(names.length).toBe(new Set(names).size);
  const addresses = routes.map(
    ({ operation: { method, path } }) => `${method} ${path.replace(/\{\w+\}/g, "{}")}`,
  );
  expect(addresses.length).toBe(new Set(addresses).size);
});

test("only these are open to everybody: registering, signing in, the instance, own pictures, and where an invite leads", () => {
  const open = routes.filter(({ operation }) => operation.caller === "public");
  expect(open.map(({ operation }) => operation.name).sort()).toEqual([
    "beginPasskeyLogin",
    "executeWebhook",
    "forgotPassword",
    "getAvatar",
    "getInstance",
    "loginWithPasskey",
    "loginWithPassword",
    "previewInvite",
    "receiveVoiceWebhook",
    "register",
    "resetPassword",
  ]);
});

for (const { operation } of routes) {
  describe(titleOf(operation), () => {
    test("declares a caller rule, a lane and a summary", () => {
      expect(["public", "person", "account"]).toContain(operation.caller);
      expect(["read", "write", "shared", "own"]).toContain(operation.lane);
      expect(operation.summary.length).toBeGreaterThan(8);
      expect(operation.name).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.path).toMatch(/^\/[a-z]/);
    });

    test("answers something good, with a body unless it is 204; its refusals are known words", () => {
      const answers = Object.entries(operation.answers);
      expect(answers.length).toBeGreaterThan(0);
      for (const [status, answer] of answers) {
        if (operation.produces) {
          expect(status).toMatch(/^(200|206|304)$/);
          expect(answer.body).toBeUndefined();
          continue;
        }
        expect(status).toMatch(/^20[014]$/);
        expect(answer.body === undefined).toBe(status === "204");
        expect(answer.description.length).toBeGreaterThan(3);
      }
      expect(answers.map(([status]) => Number(status))).toContain(operation.successStatus);
      for (const code of operation.errors ?? []) expect(errorStatus[code]).toBeGreaterThanOrEqual(400);
    });

    test("declares every parameter of its path, and no other", () => {
      const { secretParam } = operation;
      const places = placeholders(operation.path).sort();
      expect(Object.keys(operation.params?.shape ?? {}).sort()).toEqual(places);
      expect(places).toEqual(expect.arrayContaining(secretParam === undefined ? [] : [secretParam]));
    });

    test("changes nothing when it is a GET, and takes no body then", () => {
      if (operation.method !== "GET") return;
      expect(operation.lane).toBe("read");
      expect(operation.body).toBeUndefined();
    });
  });
}
