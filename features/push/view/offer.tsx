// Offers notifications in this browser right after the first mention: never before, and once answered never again.
import { useEffect, useRef, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { is } from "../../../protocol/event.ts";
import { keep, kept } from "../../../web/ui/browser/kept.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { showToast } from "../../../web/ui/loading/toast.ts";
import { useHouse } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { useInstance } from "../../instance/view/instance.ts";
import { messageCreated } from "../../messages/events.ts";
import { callsReader } from "../../messages/view/model/calls-reader.ts";
import { isTold } from "../../notifications/view/sound.ts";
import styles from "./offer.module.css";
import { isSubscribed, obstacleNow, subscribeHere } from "./subscribing.ts";

const offeredKey = "push.offered";
/** How long the offer stays without an answer while the page is seen, in milliseconds. */
const staysMs = 60_000;

export function PushOffer() {
  const { push: words } = useWords();
  const canPush = useInstance()?.features.push === true;
  const [isOpen, setOpen] = useState(false);
  const [isHeld, setHeld] = useState(false);
  /** True after it went unanswered: it comes again on another visit. */
  const hasPassed = useRef(false);
  useFirstMention(canPush, () => setOpen(!hasPassed.current));
  usePassing(isOpen && !isHeld, () => {
    hasPassed.current = true;
    setOpen(false);
  });
  if (!isOpen) return null;
  const end = () => {
    keep(offeredKey, true);
    setOpen(false);
  };
  const turnOn = async () => {
    end();
    try {
      const obstacle = await subscribeHere();
      if (obstacle) showToast({ text: words[obstacle], isAlert: true });
    } catch (error) {
      showToast({ text: CallError.from(error).message || words.failed, isAlert: true });
    }
  };
  const isToInstall = obstacleNow() === "needsInstalling";
  return (
    <section
      ref={reserve}
      className={styles.offer}
      aria-label={words.asking}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p role="status">{isToInstall ? words.askToInstall : words.ask}</p>
      <Button kind="quiet" isSmall onClick={end}>
        {isToInstall ? words.understood : words.notNow}
      </Button>
      {!isToInstall && (
        <Button kind="primary" isSmall onClick={() => void turnOn()}>
          {words.turnOn}
        </Button>
      )}
    </section>
  );
}

/** Tells the list of channels, over whose end the offer lies, how much it covers. */
function reserve(offer: HTMLElement | null): (() => void) | undefined {
  if (!offer) return undefined;
  const { style } = document.documentElement;
  style.setProperty("--h-offer", `${innerHeight - offer.getBoundingClientRect().top}px`);
  return () => style.removeProperty("--h-offer");
}

/** Calls back once the page was seen for a while without a break, so that it lies over the channels for no longer. */
function usePassing(isCounting: boolean, onPassed: () => void): void {
  const passed = useRef(onPassed);
  passed.current = onPassed;
  useEffect(() => {
    if (!isCounting) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const count = () => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(() => passed.current(), staysMs);
    };
    count();
    document.addEventListener("visibilitychange", count);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", count);
    };
  }, [isCounting]);
}

function useFirstMention(canPush: boolean, onMention: () => void): void {
  const { chat } = useHouse();
  useEffect(() => {
    // An obstacle that the reader can remove by installing the page does not prevent the offer.
    const isHopeless = ![undefined, "needsInstalling"].includes(obstacleNow());
    if (!canPush || kept(offeredKey) || isHopeless) return;
    return chat.listen((frame) => {
      const { copy } = chat.state;
      if (!is(frame, messageCreated) || !copy || kept(offeredKey)) return;
      if (!callsReader(frame.data, copy) || !isTold(copy, frame.data, Date.now())) return;
      void isSubscribed().then((isOn) => !isOn && onMention());
    });
  });
}
