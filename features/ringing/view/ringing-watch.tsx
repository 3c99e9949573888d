// Mounted while somebody is signed in: shows the calls that ring for the reader, and follows the one of their own.
import { useEffect } from "react";
import { is } from "../../../protocol/event.ts";
import { useCopy, useHouse } from "../../../web/ui/session/house.tsx";
import { useCall } from "../../voice/view/call-state.ts";
import { callEnded } from "../events.ts";
import styles from "./incoming-call.module.css";
import { IncomingCall } from "./incoming-call.tsx";
import { giveUp } from "./ring.ts";
import { keyOf, ownAfter, ringForMs, setOwn, useRinging } from "./ringing-state.ts";

export function RingingWatch() {
  useOwnRing();
  const ownId = useCopy(({ user }) => user.id);
  const direct = useCopy((copy) => copy.direct);
  const over = useRinging((state) => state.over);
  const roomId = useCall(({ call }) => call?.channel.id);
  const ringing = [...direct.values()].flatMap((conversation) => {
    const { id, call } = conversation;
    const isHere = call && call.user_id !== ownId && id !== roomId && !over.has(keyOf(id, call));
    return isHere ? [{ conversation, call, key: keyOf(id, call) }] : [];
  });
  if (ringing.length === 0) return null;
  return (
    <div className={styles.place} data-region="call">
      {ringing.map(({ key, ...one }) => (
        <IncomingCall key={key} {...one} />
      ))}
    </div>
  );
}

/** The reader's own call: how it ends, and that it does not go on without them. */
function useOwnRing(): void {
  const { chat } = useHouse();
  const own = useRinging((state) => state.own);
  const isIn = useCall(({ call }) => call?.channel.id === own?.channelId && call?.is !== "over");
  useEffect(() => {
    return chat.listen((frame) => {
      const { own: mine } = useRinging.getState();
      if (!is(frame, callEnded) || frame.data.channel_id !== mine?.channelId) return;
      setOwn(ownAfter(mine.channelId, frame.data.reason));
    });
  }, [chat]);
  useEffect(() => {
    if (own?.is !== "ringing") return;
    const timer = setTimeout(() => setOwn({ ...own, is: "missed" }), ringForMs + 2000);
    return () => clearTimeout(timer);
  }, [own]);
  useEffect(() => {
    if (!own || isIn) return;
    if (own.is === "ringing") giveUp(own.channelId);
    else setOwn(undefined);
  }, [own, isIn]);
}
