// Giving roles: what counts when the answer comes late.
import { afterAll, expect, spyOn, test } from "bun:test";
import type { Chat } from "../../../client/chat.ts";
import type { ServerFrame } from "../../../protocol/frames.ts";
import { idOf } from "../../../tests/client/scene.ts";
import { giveRoles } from "./give-roles.ts";

let answer = Promise.withResolvers<Response>();
const fetching = spyOn(globalThis, "fetch").mockImplementation((() => answer.promise) as never);
afterAll(() => fetching.mockRestore());

const updated = (...roles: string[]) => ({
  type: "SERVER_MEMBER_UPDATE",
  server_id: idOf("home"),
  data: { user_id: idOf("bob"), role_ids: roles.map(idOf) },
});

/** Gives Bob a role, and returns the roles that are applied after these frames, and then the answer. */
async function appliedAfter(...frames: { type: string; data: unknown }[]): Promise<unknown[]> {
  answer = Promise.withResolvers();
  const applied: unknown[] = [];
  const listeners = new Set<(frame: ServerFrame) => void>();
  const chat = {
    listen: (listener: (frame: ServerFrame) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    catchUp: () => {},
    take: (frame: ServerFrame) => applied.push(frame.data),
  } as unknown as Chat;
  const giving = giveRoles(chat, idOf("home"), idOf("bob"), [idOf("cooks")]);
  for (const frame of frames)
    for (const listener of listeners) listener({ ...frame, seq: 2, ts: "" } as ServerFrame);
  answer.resolve(Response.json([]));
  await giving;
  expect(listeners.size).toBe(0);
  return applied;
}

test("the answer counts, unless its event was there, or a READY, which may bring something newer", async () => {
  const given = [updated("cooks").data];
  expect(await appliedAfter()).toEqual(given);
  expect(await appliedAfter(updated("bakers"))).toEqual(given);
  expect(await appliedAfter({ ...updated("cooks"), server_id: idOf("club") } as never)).toEqual(given);
  expect(await appliedAfter(updated("cooks"), updated("bakers"))).toEqual([]);
  expect(await appliedAfter({ type: "READY", data: {} }, updated("bakers"))).toEqual([]);
});
