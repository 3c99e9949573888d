// Shortcut keys of a call: mute, deafen, and push to talk.
import { useEffect } from "react";
import { announce } from "../../../web/ui/browser/announce.ts";
import { type Command, command } from "../../../web/ui/keys/keys.ts";
import { useCommand } from "../../../web/ui/keys/use-command.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { useInstance } from "../../instance/view/instance.ts";
import { useCall, useChoices } from "./call-state.ts";
import { currentCall } from "./calling.ts";
import { hasMicrophones } from "./devices-here.ts";

const mute: Command = {
  id: "mute",
  keys: "$mod+Shift+m",
  name: ({ voice }) => voice.keyNames.mute,
  isEverywhere: true,
};
const deafen: Command = {
  id: "deafen",
  keys: "$mod+Shift+d",
  name: ({ voice }) => voice.keyNames.deafen,
  isEverywhere: true,
};

/** Without voice there are no such keys to list or to choose, and without microphones not the first one. */
function useKeysListed(): void {
  const hasVoice = useInstance()?.features.voice;
  useEffect(() => {
    if (!hasVoice) return;
    if (hasMicrophones()) command(mute);
    command(deafen);
  }, [hasVoice]);
}

export function useCallKeys(): void {
  useKeysListed();
  const { voice: words } = useWords();
  // The buttons, which tell their state by themselves, do not have the focus.
  useCommand(mute, () => {
    const { call } = useCall.getState();
    if (call?.is !== "joined" || call.isListener) return;
    void currentCall()?.setMuted(!call.isMuted);
    announce(call.isMuted ? words.nowHeard : words.nowMuted);
  });
  useCommand(deafen, () => {
    const { call } = useCall.getState();
    if (call?.is !== "joined") return;
    void currentCall()?.setDeafened(!call.isDeafened);
    announce(call.isDeafened ? words.nowListening : words.nowDeafened);
  });
  usePushToTalk();
}

/** A key released while another window has the focus is not reported, so leaving the window releases it. */
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
    // No control may keep the release to itself: the microphone would stay open.
    addEventListener("keyup", up, true);
    addEventListener("blur", letGo);
    return () => {
      removeEventListener("keydown", down);
      removeEventListener("keyup", up, true);
      removeEventListener("blur", letGo);
      hold(false);
    };
  }, [isPushToTalk, talkKey]);
}

/** Typing in a field is not push to talk. */
function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]");
}
