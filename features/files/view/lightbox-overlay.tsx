// The lazily loaded part of the lightbox: pictures with zoom, arrows and thumbs, below a head with name and sender.
import Gallery, { type ControllerRef, type SlotStyles, type ZoomRef } from "yet-another-react-lightbox";
import Zoom from "yet-another-react-lightbox/plugins/zoom";
import "yet-another-react-lightbox/styles.css";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useBackCloses } from "../../../web/ui/navigation/back-closes.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./lightbox.module.css";
import type { LightboxProps, Slide } from "./lightbox.tsx";
import { About, downloadPicture, SlideActions, Thumbs } from "./lightbox-parts.tsx";

export default function LightboxOverlay({ slides, index, message, onClose }: LightboxProps) {
  const { files: words } = useWords();
  const [at, setAt] = useState(index);
  // With another list, the library would begin anew at its first picture.
  const [shown] = useState(() => slides.map(asShown));
  const zoom = useRef<ZoomRef>(null);
  const controller = useRef<ControllerRef>(null);
  const slide = slides[at];
  useFocusBack();
  useGroundCloses(controller);
  useBackCloses(onClose);
  useMoreKeys({
    Home: () => setAt(0),
    End: () => setAt(slides.length - 1),
    0: () => zoom.current?.changeZoom(1),
    d: () => slide && downloadPicture(slide),
  });
  const isAlone = slides.length === 1;
  return (
    <Gallery
      open
      close={onClose}
      index={at}
      slides={shown}
      className={styles.viewer ?? ""}
      plugins={[Zoom]}
      carousel={{ finite: true, padding: 0 }}
      controller={{ ref: controller, closeOnBackdropClick: true, closeOnPullDown: true }}
      zoom={{ ref: zoom }}
      animation={{ fade: 120, swipe: 120, zoom: 120 }}
      on={{ view: ({ index }) => setAt(index) }}
      toolbar={{
        buttons: [
          slide && <About key="about" slide={slide} place={{ at, of: slides.length }} message={message} />,
          "zoom",
          slide && <SlideActions key="actions" slide={slide} message={message} />,
          "close",
        ],
      }}
      render={{
        ...(isAlone && { buttonPrev: () => null, buttonNext: () => null }),
        controls: () => !isAlone && <Thumbs slides={slides} at={at} onChoose={setAt} />,
      }}
      styles={{
        toolbar: toolbarStyle,
        navigationPrev: { ...arrowStyle, insetInlineStart: "var(--arrow-inset)" },
        navigationNext: { ...arrowStyle, insetInlineEnd: "var(--arrow-inset)" },
      }}
      labels={{
        Close: words.close,
        Previous: words.previous,
        Next: words.next,
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

function asShown({ src, alt, width, height }: Slide) {
  return { src, alt, ...(width && height && { width, height }) };
}

/** Set on the elements: the library's style sheet stands in no layer, and wins over all that do. */
const toolbarStyle: SlotStyles["toolbar"] = {
  insetInline: 0,
  height: "var(--edge)",
  alignItems: "center",
  gap: 4,
  background: "var(--pane)",
  borderBottom: "1px solid var(--line)",
};
const arrowStyle: SlotStyles["button"] = {
  top: "var(--arrow-top)",
  width: 44,
  height: 44,
  padding: 11,
  border: "1px solid var(--control)",
  borderRadius: "50%",
  background: "var(--raised)",
};

/** Keys besides those of the library: arrows, plus and minus, Escape. */
function useMoreKeys(acts: Readonly<Record<string, () => void>>): void {
  const now = useRef(acts);
  now.current = acts;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const act = now.current[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}

/** The empty ground around the slide, where the library itself does not close on a press. */
const ground = `.yarl__container, .yarl__carousel, .${styles.thumbs}`;
/** How far a finger may move within a press, in pixels: further it swipes. */
const slackPx = 10;

function useGroundCloses(controller: RefObject<ControllerRef | null>): void {
  useEffect(() => {
    let down: PointerEvent | undefined;
    const onPointerDown = (event: PointerEvent) => {
      down = event;
    };
    const onClick = ({ target, clientX, clientY }: MouseEvent) => {
      if (!down || target !== down.target || !(target as Element).matches(ground)) return;
      if (Math.hypot(clientX - down.clientX, clientY - down.clientY) < slackPx) controller.current?.close();
    };
    addEventListener("pointerdown", onPointerDown, true);
    addEventListener("click", onClick);
    return () => {
      removeEventListener("pointerdown", onPointerDown, true);
      removeEventListener("click", onClick);
    };
  }, [controller]);
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
