// The found GIFs in two columns; still pictures for people who prefer reduced motion.
import { useEffect, useRef, useState } from "react";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { drawFirstFrame } from "../../../web/ui/browser/first-frame.ts";
import { useReducedMotion } from "../../../web/ui/browser/motion.ts";
import { Picture } from "../../../web/ui/controls/picture.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Gif } from "../contract.ts";
import styles from "./gif-picker.module.css";

interface Props {
  id: string;
  gifs: readonly Gif[];
  active: number;
  onPoint(index: number): void;
  onPick(url: string): void;
}

export function GifGrid({ id, gifs, active, onPoint, onPick }: Props) {
  const { gifs: words } = useWords();
  const isStill = useReducedMotion();
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Some browsers return a promise here, which must not be the effect's return value.
    void grid.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div ref={grid} id={id} role="listbox" aria-label={words.label} className={styles.grid}>
      {gifs.map((gif, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the search field's, which points here.
        // biome-ignore lint/a11y/useFocusableInteractive: it is pointed at from there (aria-activedescendant).
        <div
          key={gif.id}
          id={`${id}-${i}`}
          role="option"
          aria-label={gif.title || words.untitled}
          aria-selected={i === active}
          className={classNames(styles.gif, i === active && styles.active)}
          onPointerMove={() => i !== active && onPoint(i)}
          onClick={() => onPick(gif.url)}
        >
          <Preview gif={gif} isStill={isStill} />
        </div>
      ))}
    </div>
  );
}

/** A preview; one that fails to load shows the title, and can be picked all the same. */
function Preview({ gif: { preview_url, title }, isStill }: { gif: Gif; isStill: boolean }) {
  const [isBroken, setBroken] = useState(false);
  const onFail = () => setBroken(true);
  if (isBroken) return <span className={styles.title}>{title}</span>;
  if (isStill) return <Still url={preview_url} onFail={onFail} />;
  return <Picture url={preview_url} alt="" onFail={onFail} />;
}

/** The first frame of a GIF. The GIF stays hidden until that is drawn. */
function Still({ url, onFail }: { url: string; onFail(): void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  function draw(picture: HTMLImageElement) {
    drawFirstFrame(canvas.current, picture);
    setDrawn(true);
  }
  return (
    <>
      <canvas ref={canvas} />
      {!isDrawn && <Picture url={url} alt="" className={styles.unseen} onLoad={draw} onFail={onFail} />}
    </>
  );
}
