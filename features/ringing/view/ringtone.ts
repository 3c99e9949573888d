// The sound of a call that rings, in one of the tabs of this browser.
import { useEffect } from "react";
import { play } from "../../notifications/view/sound.ts";
import { useCall } from "../../voice/view/call-state.ts";

/** Frequencies in hertz: two thirds, up and down. */
const tones = [523, 659, 523, 659];
const everyMs = 3000;
const ringsMost = 10;
const lockName = "hearth-ringing";

/** Rings while mounted; in a call it sounds once, so that the people there are still heard. */
export function useRingtone(isWanted: boolean): void {
  const isInCall = useCall(({ call }) => call !== undefined && call.is !== "over");
  useEffect(() => {
    if (!isWanted) return;
    return alone(() => repeated(() => play(tones), isInCall ? 1 : ringsMost));
  }, [isWanted, isInCall]);
}

function repeated(sound: () => void, most: number): () => void {
  let times = 0;
  const again = () => {
    if (times++ < most) sound();
  };
  again();
  const timer = setInterval(again, everyMs);
  return () => clearInterval(timer);
}

/** Begins in the first tab that asks; without locks, which need https, in the one that is looked at. Returns the end. */
function alone(begin: () => () => void): () => void {
  let stop = () => {};
  const over = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const ring = async () => {
    const end = begin();
    await over;
    end();
  };
  const locks = navigator.locks as LockManager | undefined;
  if (locks) void locks.request(lockName, { ifAvailable: true }, (lock) => (lock ? ring() : undefined));
  else if (document.visibilityState === "visible") void ring();
  return stop;
}
