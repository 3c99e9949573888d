// Calls without a session: every operation answers 401, except for the few public ones.
import { expect, test } from "bun:test";
import { onEachEngine } from "../house/open/engines.ts";
import { send } from "../house/people/people.ts";
import { expectRefusal } from "./error-body.ts";
import { routes, titleOf } from "./walk.ts";

onEachEngine("a stranger", (house) => {
  for (const { operation, unknownPath } of routes) {
    if (operation.caller === "public") continue;
    test(`${titleOf(operation)}: 401, whatever the body is`, async () => {
      for (const body of operation.method === "GET" ? [undefined] : [undefined, {}, "{not json"]) {
        expectRefusal(await send(house(), undefined, operation.method, unknownPath, body), "unauthenticated");
      }
    });
  }

  test("the instance tells what it is; a registration and a login without a body are asked for one", async () => {
    expect((await send(house(), undefined, "GET", "/instance")).status).toBe(200);
    for (const path of ["/auth/register", "/auth/login/password"]) {
      expectRefusal(await send(house(), undefined, "POST", path), "malformed_json");
      expectRefusal(await send(house(), undefined, "POST", path, {}), "invalid_request");
    }
  });

  test("a session that never was is as good as none", async () => {
    expectRefusal(await send(house(), `hs_${"x".repeat(43)}`, "GET", "/servers"), "unauthenticated");
  });
});
