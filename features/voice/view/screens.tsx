// The shared screens of a call: one is shown, and the others can be selected.
import { Maximize, ScreenShare } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button, IconButton } from "../../../web/ui/controls/button.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { SharedScreen } from "./call-state.ts";
import styles from "./screens.module.css";

export function Screens({ screens }: { screens: readonly SharedScreen[] }) {
  const { voice: words } = useWords();
  const [watchedId, setWatchedId] = useState<string>();
  const watched =
    screens.find(({ userId }) => userId === watchedId) ?? screens.find(({ isMine }) => !isMine) ?? screens[0];
  if (!watched) return null;
  const others = screens.filter(({ userId }) => userId !== watched.userId);
  return (
    <>
      <Screen key={watched.userId} screen={watched} />
      {others.length > 0 && (
        <div className={styles.others}>
          {others.map(({ userId, name, isMine }) => (
            <Button key={userId} isSmall icon={ScreenShare} onClick={() => setWatchedId(userId)}>
              {isMine ? words.youShare : words.watch(name)}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}

function Screen({ screen }: { screen: SharedScreen }) {
  const { voice: words } = useWords();
  const frame = useRef<HTMLElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const latest = useRef(screen);
  latest.current = screen;
  // Attached once per screen, however often the state of the call is recreated.
  useEffect(() => {
    if (video.current) return latest.current.show(video.current);
  }, []);
  const caption = screen.isMine ? words.youShare : words.sharing(screen.name);
  return (
    <figure ref={frame} className={styles.screen}>
      <video ref={video} autoPlay playsInline muted aria-label={caption} />
      <figcaption>
        <Icon of={ScreenShare} size={16} />
        {caption}
      </figcaption>
      {document.fullscreenEnabled && (
        <span className={styles.tools}>
          <IconButton
            label={words.fullScreen}
            icon={Maximize}
            onClick={() => void frame.current?.requestFullscreen().catch(() => {})}
          />
        </span>
      )}
    </figure>
  );
}
