// Runs during a call wherever the user is: shortcut keys, and announcements of its state.
import { useEffect, useRef } from "react";
import { announce } from "../../../web/ui/browser/announce.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { type CallView, useCall } from "./call-state.ts";
import { useCallKeys } from "./keys-of-call.ts";

export function CallWatch() {
  const call = useCall((state) => state.call);
  useSpokenState(call);
  useCallKeys();
  return null;
}

/** Announces the state to users who do not see the bar. */
function useSpokenState(call: CallView | undefined): void {
  const { voice: words } = useWords();
  const before = useRef<CallView["is"]>(undefined);
  useEffect(() => {
    if (call?.is !== before.current) {
      if (call?.is === "joined") announce(words.youAreIn(call.channel.name));
      if (call?.is === "reconnecting") announce(words.reconnecting);
    }
    before.current = call?.is;
  }, [call, words]);
}
