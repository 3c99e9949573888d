// A picture in a box that has its size before the picture has loaded, so that nothing moves.
import { ImageOff, Play } from "lucide-react";
import { type CSSProperties, useRef, useState } from "react";
import { drawFirstFrame } from "../../../web/ui/browser/first-frame.ts";
import { focusAfter } from "../../../web/ui/browser/focus-after.ts";
import { useReducedMotion } from "../../../web/ui/browser/motion.ts";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Picture } from "../../../web/ui/controls/picture.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./attachments.module.css";
import { useFailed } from "./failed.ts";

const most = { width: 420, height: 300 };
/** The box of a picture of unknown size, which is fitted into it. */
const unknown = { width: 320, height: 180 };

interface Props {
  /** A URL of this server; with `isElsewhere`, one of another host, which this server fetches. */
  src: string;
  isElsewhere?: boolean;
  /** The URL of the animation, if `src` may be a still of it, or the animation itself. */
  moving?: string | undefined;
  name: string;
  width?: number | null;
  height?: number | null;
  /** True if the picture fills a cell of a grid, which has a size of its own. */
  isCell?: boolean;
  onOpen(): void;
}

export function PictureBox({ moving, name, width, height, isCell, onOpen, ...source }: Props) {
  const { files: words } = useWords();
  const isReduced = useReducedMotion();
  const [isAsked, setAsked] = useState(false);
  const [hasFailed, fail] = useFailed();
  const onFail = () => fail(true);
  const isStill = moving !== undefined && isReduced && !isAsked;
  const box = isCell ? undefined : boxOf(width, height);
  if (hasFailed) {
    return (
      <div className={styles.broken} style={box}>
        <Icon of={ImageOff} />
        <span>{words.cannotShow(name)}</span>
      </div>
    );
  }
  const shown = { ...source, ...(moving !== undefined && !isStill && { src: moving }) };
  return (
    <div className={styles.picture} style={box}>
      <button type="button" aria-label={words.openPicture(name)} className={styles.open} onClick={onOpen}>
        {isStill ? (
          <Still {...shown} name={name} onFail={onFail} />
        ) : (
          <Source {...shown} alt={name} onFail={onFail} />
        )}
      </button>
      {isStill && (
        <button
          type="button"
          aria-label={words.playPicture(name)}
          className={styles.play}
          onClick={({ currentTarget }) => {
            focusAfter(currentTarget.parentElement, "button");
            setAsked(true);
          }}
        >
          <Icon of={Play} size={16} />
          GIF
        </button>
      )}
    </div>
  );
}

interface SourceProps {
  src: string;
  isElsewhere?: boolean;
  alt: string;
  className?: string | undefined;
  onLoad?(picture: HTMLImageElement): void;
  onFail(): void;
}

function Source({ src, isElsewhere, alt, className, onLoad, onFail }: SourceProps) {
  if (isElsewhere)
    return <Picture url={src} alt={alt} className={className} onFail={onFail} {...(onLoad && { onLoad })} />;
  return (
    <img
      src={src}
      alt={alt}
      className={className}
      decoding="async"
      onLoad={(event) => onLoad?.(event.currentTarget)}
      onError={onFail}
    />
  );
}

type StillProps = Pick<SourceProps, "src" | "isElsewhere" | "onFail"> & { name: string };

/** The first frame of the picture, drawn on a canvas. */
function Still({ name, ...source }: StillProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const draw = (picture: HTMLImageElement) => drawFirstFrame(canvas.current, picture);
  return (
    <>
      <canvas ref={canvas} role="img" aria-label={name} />
      <Source {...source} alt="" className={styles.source} onLoad={draw} />
    </>
  );
}

function boxOf(width: number | null | undefined, height: number | null | undefined): CSSProperties {
  const size = width && height ? fitted(width, height) : unknown;
  return { width: size.width, aspectRatio: `${size.width} / ${size.height}` };
}

function fitted(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, most.width / width, most.height / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
