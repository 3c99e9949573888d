// The lazily loaded part of the lightbox: zoom, arrows, download.
import Gallery from "yet-another-react-lightbox";
import Download from "yet-another-react-lightbox/plugins/download";
import Zoom from "yet-another-react-lightbox/plugins/zoom";
import "yet-another-react-lightbox/styles.css";
import { useEffect, useRef } from "react";
import { useBackCloses } from "../../../web/ui/navigation/back-closes.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { LightboxProps } from "./lightbox.tsx";

export default function LightboxOverlay({ slides, index, onClose }: LightboxProps) {
  const { files: words } = useWords();
  const isAlone = slides.length === 1;
  useFocusBack();
  useBackCloses(onClose);
  return (
    <Gallery
      open
      close={onClose}
      index={index}
      slides={slides.map(({ src, alt, width, height }) => ({
        src,
        alt,
        download: { url: src, filename: alt },
        ...(width && height && { width, height }),
      }))}
      plugins={[Zoom, Download]}
      carousel={{ finite: true }}
      controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
      animation={{ fade: 120, swipe: 120, zoom: 120 }}
      {...(isAlone && { render: { buttonPrev: () => null, buttonNext: () => null } })}
      labels={{
        Close: words.close,
        Previous: words.previous,
        Next: words.next,
        Download: words.download,
        "Zoom in": words.zoomIn,
        "Zoom out": words.zoomOut,
        Lightbox: words.lightbox,
        "Photo gallery": words.lightbox,
        Slide: words.slide,
        "{index} of {total}": words.slideOf,
      }}
    />
  );
}

/** Returns the focus to the element that opened the lightbox. */
function useFocusBack(): void {
  const opener = useRef(document.activeElement);
  useEffect(() => {
    const element = opener.current;
    return () => {
      if (element instanceof HTMLElement) requestAnimationFrame(() => element.focus());
    };
  }, []);
}
