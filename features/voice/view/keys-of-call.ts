// The keys of a call: those that mute and deafen, and the one that is held while one talks.
import { useEffect } from "react";
import { type Command, command } from "../../../web/ui/keys/keys.ts";
import { useCommand } from "../../../web/ui/keys/use-command.ts";
import { useCall, useChoices } from "./call-state.ts";
import { currentCall } from "./calling.ts";
import { hasMicrophones } from "./devices-here.ts";

const mute: Command = {
  id: "mute",
  keys: "$mod+Shift+m",
  name: ({ voice }) => voice.keyNames.mute,
  isEverywhere: true,
};
// Where nobody can talk, the key is not taken.
if (hasMicrophones()) command(mute);
const deafen = command({
  id: "deafen",
  keys: "$mod+Shift+d",
  name: ({ voice }) => voice.keyNames.deafen,
  isEverywhere: true,
});

export function useCallKeys(): void {
  useCommand(mute, () => {
    const { call } = useCall.getState();
    if (call?.is === "joined" && !call.isListener) void currentCall()?.setMuted(!call.isMuted);
  });
  useCommand(deafen, () => {
    const { call } = useCall.getState();
    if (call?.is === "joined") void currentCall()?.setDeafened(!call.isDeafened);
  });
  usePushToTalk();
}

/** A key that is let go while another window is in front is not heard: going there lets it go. */
function usePushToTalk(): void {
  const { isPushToTalk, talkKey } = useChoices();
  useEffect(() => {
    if (!isPushToTalk || !hasMicrophones()) return;
    const hold = (isHeld: boolean) => void currentCall()?.hold(isHeld);
    const down = (event: KeyboardEvent) => {
      if (event.code !== talkKey || (isWriting(event.target) && event.key.length === 1)) return;
      event.preventDefault();
      if (!event.repeat) hold(true);
    };
    const up = (event: KeyboardEvent) => {
      if (event.code === talkKey) hold(false);
    };
    const letGo = () => hold(false);
    addEventListener("keydown", down);
    addEventListener("keyup", up);
    addEventListener("blur", letGo);
    return () => {
      removeEventListener("keydown", down);
      removeEventListener("keyup", up);
      removeEventListener("blur", letGo);
      hold(false);
    };
  }, [isPushToTalk, talkKey]);
}

/** A letter that is written is no key to talk with. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}
