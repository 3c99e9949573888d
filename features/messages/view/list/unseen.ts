// Messages that come while nobody looks get a line of their own, and are not read before that was in sight.
import { useEffect } from "react";
import type { Copy } from "../../../../client/copy.ts";
import { ready } from "../../../../client/ready.ts";
import { channelIn } from "../../../../client/servers.ts";
import { is } from "../../../../protocol/event.ts";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import { messageCreated } from "../../events.ts";
import { type Fresh, isLooking, useReading } from "../model/reading.ts";
import type { UseSeen } from "../window/seen.ts";
import { markerOf } from "./opening.ts";

export function useUnseen(channelId: string, useSeen: UseSeen): void {
  const { chat } = useHouse();
  useEffect(() => {
    let isAway = !isLooking();
    const note = () => {
      // The line may stand elsewhere once it is drawn.
      if (noteUnseen(channelId, chat.state.copy, useSeen.getState().isAtBottom))
        useSeen.setState({ fresh: "nowhere" });
    };
    const see = () => {
      const { isUnseen, fresh } = useReading.getState();
      if (!isUnseen || !fresh) return;
      if (areGone(fresh, channelId, chat.state.copy)) {
        useReading.setState({ fresh: undefined, isUnseen: false });
        return;
      }
      const isInSight = !isAway && useSeen.getState().fresh === "inside";
      // They may be read elsewhere.
      const isRead = (markerOf(chat.state.copy, channelId) ?? "") >= fresh.upTo;
      if (isInSight || isRead) useReading.setState({ isUnseen: false });
    };
    const look = () => {
      // Frames that wait for the next paint came unseen, too.
      if (isAway) chat.catchUp();
      isAway = !isLooking();
      see();
    };
    const endHearing = chat.listen((frame) => {
      const isNew = is(frame, messageCreated) && frame.data.channel_id === channelId;
      const isOwn = isNew && frame.data.author.id === chat.state.copy?.user.id;
      // The author has read everything before.
      if (isOwn) useReading.setState({ isPaused: false });
      // Until the connection is live, the frames are of the time without one.
      const isLate = isAway || chat.state.connection.is !== "live";
      if (isLate && (isNew || is(frame, ready))) note();
      see();
    });
    const endSeeing = useSeen.subscribe(see);
    if (isAway) note();
    for (const kind of ["focus", "blur"]) addEventListener(kind, look);
    document.addEventListener("visibilitychange", look);
    return () => {
      endHearing();
      endSeeing();
      for (const kind of ["focus", "blur"]) removeEventListener(kind, look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [chat, channelId, useSeen]);
}

/** True if all of them were deleted: no line will come into sight. */
function areGone({ after, upTo }: Fresh, channelId: string, copy: Copy | undefined): boolean {
  const { live, isStale } = copy?.windows.get(channelId) ?? {};
  const isLoaded = live && !isStale && (!live.hasOlder || (live.messages.at(-1)?.id ?? "") <= (after ?? ""));
  return (
    !!isLoaded &&
    !live.messages.some(({ id, author }) => id > (after ?? "") && id <= upTo && author.id !== copy?.user.id)
  );
}

/** Begins a line behind the last message that was read, or counts further ones there. Returns whether there are any. */
function noteUnseen(channelId: string, copy: Copy | undefined, isAtBottom: boolean): boolean {
  const { fresh, isPaused, isUnseen, readId = "", ...reading } = useReading.getState();
  const marker = markerOf(copy, channelId);
  const after = readId > (marker ?? "") ? readId : marker;
  const upTo = channelIn(copy, channelId)?.last_message_id ?? "";
  if (reading.channelId !== channelId || isPaused || upTo <= (after ?? "")) return false;
  // Further up, the reader comes past the messages below a line that was in sight before.
  const wasSeen = !isAtBottom && !isUnseen && fresh?.after === after;
  useReading.setState({ fresh: { after, upTo }, isUnseen: !wasSeen });
  return true;
}
