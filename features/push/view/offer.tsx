// Offers notifications in this browser right after the first mention: never before, and only once.
import { useEffect, useState } from "react";
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

export function PushOffer() {
  const { push: words } = useWords();
  const canPush = useInstance()?.features.push === true;
  const [isOpen, setOpen] = useState(false);
  useFirstMention(canPush, () => setOpen(true));
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
  if (obstacleNow() === "needsInstalling") {
    return (
      <section className={styles.offer} aria-label={words.asking}>
        <p role="status">{words.askToInstall}</p>
        <Button kind="quiet" isSmall onClick={end}>
          {words.understood}
        </Button>
      </section>
    );
  }
  return (
    <section className={styles.offer} aria-label={words.asking}>
      <p role="status">{words.ask}</p>
      <Button kind="quiet" isSmall onClick={end}>
        {words.notNow}
      </Button>
      <Button kind="primary" isSmall onClick={() => void turnOn()}>
        {words.turnOn}
      </Button>
    </section>
  );
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
