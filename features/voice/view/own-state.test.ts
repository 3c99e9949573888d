// The user's own mute state in a voice room is sent once, as soon as the gateway knows that they are there.
import { expect, test } from "bun:test";
import type { Chat, ChatState } from "../../../client/chat.ts";
import { channel, idOf, scene } from "../../../tests/client/scene.ts";
import { OwnState } from "./own-state.ts";

/** A page of Bob, who is joining the parlour. */
function opened() {
  const said: string[] = [];
  let watcher: (() => void) | undefined;
  const chat = {
    state: { copy: scene(), connection: { is: "live" }, generation: 1 } as ChatState,
    subscribe: (watch: () => void) => {
      watcher = watch;
      return () => {
        watcher = undefined;
      };
    },
    connection: {
      say: (type: string, data: { channel_id: string }) => {
        expect(data.channel_id).toBe(idOf("parlour"));
        said.push(`${type} ${"muted" in data ? data.muted : (data as { deafened?: boolean }).deafened}`);
      },
    },
  };
  const become = (change: Partial<ChatState>) => {
    chat.state = { ...chat.state, ...change };
    watcher?.();
  };
  const own = new OwnState(chat as unknown as Chat, channel("parlour", "home", { type: "voice" }));
  /** The gateway learns from the media service who is in the room. */
  const seeIn = (who: string, muted = false) => {
    const copy = scene();
    const [home, ...others] = copy.servers;
    if (!home) throw new Error("the scene is empty");
    const state = { channel_id: idOf("parlour"), user_id: idOf(who), muted, deafened: false, joined_at: "" };
    become({ copy: { ...copy, servers: [{ ...home, voice: [state] }, ...others] } });
  };
  return { own, said, become, seeIn };
}

test("what was pressed before one is seen in the room is said then, what changes later at once, and nothing twice", () => {
  const { own, said, become, seeIn } = opened();
  own.say({ muted: true, deafened: false });
  seeIn("carol");
  expect(said).toEqual([]);
  seeIn("bob");
  become({});
  expect(said).toEqual(["VOICE_MUTE true"]);
  own.say({ muted: true, deafened: true });
  own.say({ muted: false, deafened: true });
  expect(said.slice(1)).toEqual(["VOICE_DEAFEN true", "VOICE_MUTE false"]);
});

test("after a lost connection it is said again where the gateway has it otherwise, and no more once the call is over", () => {
  const { own, said, become, seeIn } = opened();
  seeIn("bob");
  own.say({ muted: true, deafened: false });
  become({ connection: { is: "connecting" } });
  become({ connection: { is: "live" } });
  expect(said).toEqual(["VOICE_MUTE true", "VOICE_MUTE true"]);
  become({ connection: { is: "connecting" } });
  seeIn("bob", true);
  become({ connection: { is: "live" } });
  expect(said).toHaveLength(2);
  own.stop();
  seeIn("carol");
  seeIn("bob");
  expect(said).toHaveLength(2);
});
