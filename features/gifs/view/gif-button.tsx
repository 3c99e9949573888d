// The button that opens the GIF picker; hidden if the instance has no GIF provider.
import { useRef, useState } from "react";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { holdKeys } from "../../../web/ui/browser/held-keys.ts";
import { lazily } from "../../../web/ui/browser/lazily.ts";
import { Popover } from "../../../web/ui/overlays/popover.tsx";
import { useWords, withWords } from "../../../web/ui/words/words.ts";
import { useInstance } from "../../instance/view/instance.ts";
import styles from "./gif-picker.module.css";

const Picker = lazily(
  async () => (await withWords("rest", import("./gif-picker.tsx"))).default,
  undefined,
  holdKeys,
);

/** `onPick` gets the URL of a GIF. */
export function GifButton({ onPick }: { onPick(url: string): void }) {
  const { gifs: words } = useWords();
  const hasGifs = useInstance()?.features.gifs ?? false;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!hasGifs) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className={classNames(styles.button, isOpen && styles.isOpen)}
        onClick={() => setOpen(!isOpen)}
      >
        {words.button}
      </button>
      {isOpen && (
        <Popover label={words.label} anchor={button} onClose={close}>
          <div className={styles.room}>
            <Picker
              onPick={(url) => {
                close();
                onPick(url);
              }}
            />
          </div>
        </Popover>
      )}
    </>
  );
}
