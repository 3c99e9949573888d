// The parts around a picture in the lightbox: its name and sender, buttons, and thumbs of the others of its message.
import { Download, ExternalLink, Link2 } from "lucide-react";
import { useFrameWidth } from "../../../web/ui/browser/frame-width.ts";
import { Button, IconButton } from "../../../web/ui/controls/button.tsx";
import { copyText } from "../../../web/ui/controls/copy-text.ts";
import { Face } from "../../../web/ui/controls/face.tsx";
import { showToast } from "../../../web/ui/loading/toast.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { byteSize } from "../../../web/ui/words/sizes.ts";
import { agoOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./lightbox.module.css";
import type { SaidIn, Slide } from "./lightbox.tsx";

interface AboutProps {
  slide: Slide;
  place: { at: number; of: number };
  message: SaidIn;
}

/** The name of the file, and who sent it when, its place among others, and its size. */
export function About({ slide, place, message }: AboutProps) {
  const { files: words } = useWords();
  const isNarrow = useFrameWidth() === "narrow";
  const { author, created_at } = message;
  const { width, height, size } = slide;
  const measures = [width && height && `${width} × ${height}`, size !== undefined && byteSize(size)];
  const sent = `${author.display_name}, ${agoOf(new Date(created_at))}`;
  const at = place.of > 1 && words.placeOf(place.at + 1, place.of);
  // A phone cuts the end of the line.
  const facts = [...(isNarrow ? [at, sent] : [sent, at]), measures.filter(Boolean).join(", ")];
  return (
    <div className={styles.about}>
      <Face id={author.id} name={author.display_name} picture={author.avatar} size={32} />
      <p>
        <b dir="auto">{slide.alt}</b>
        <span>{facts.filter(Boolean).join(" · ")}</span>
      </p>
    </div>
  );
}

export function SlideActions({ slide, message }: Omit<AboutProps, "place">) {
  const { files: words } = useWords();
  const isNarrow = useFrameWidth() === "narrow";
  const open = () => {
    if (!openOriginal(slide)) showToast({ text: words.cannotShow(slide.alt), isAlert: true });
  };
  return (
    <>
      <IconButton
        label={words.copyLink}
        icon={Link2}
        onClick={() => void copyText(location.origin + paths.message(message))}
      />
      <IconButton label={words.download} icon={Download} onClick={() => downloadPicture(slide)} />
      {isNarrow ? (
        <IconButton label={words.openOriginal} icon={ExternalLink} onClick={open} />
      ) : (
        <Button isSmall icon={ExternalLink} onClick={open}>
          {words.openOriginal}
        </Button>
      )}
    </>
  );
}

export function downloadPicture({ src, alt }: Slide): void {
  const link = document.createElement("a");
  Object.assign(link, { href: src, download: alt });
  link.click();
}

/** Files are served to be saved, so the tab is a page of ours that holds the picture. Returns whether it was opened. */
function openOriginal({ src, alt }: Slide): boolean {
  const tab = window.open("", "_blank");
  if (!tab) return false;
  const picture = tab.document.createElement("img");
  Object.assign(picture, { src: new URL(src, location.href).href, alt });
  tab.document.title = alt;
  tab.document.body.append(picture);
  return true;
}

interface ThumbsProps {
  slides: readonly Slide[];
  at: number;
  onChoose(at: number): void;
}

export function Thumbs({ slides, at, onChoose }: ThumbsProps) {
  const { files: words } = useWords();
  return (
    <div className={styles.thumbs}>
      {slides.map(({ src, preview, alt }, index) => (
        <button
          key={src}
          type="button"
          aria-label={words.showPicture(alt)}
          aria-current={index === at}
          onClick={() => onChoose(index)}
        >
          <img src={preview ?? src} alt="" />
        </button>
      ))}
    </div>
  );
}
