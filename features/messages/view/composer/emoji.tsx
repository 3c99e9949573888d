// The button of the emoji picker, which inserts an emoji at the caret.
import { Smile } from "lucide-react";
import { type RefObject, useRef, useState } from "react";
import { IconButton } from "../../../../web/ui/controls/button.tsx";
import { EmojiPicker } from "../../../../web/ui/emoji/emoji-picker.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { replaceText } from "./insert.ts";

export function EmojiButton({ area }: { area: RefObject<HTMLTextAreaElement | null> }) {
  const { composer: words } = useWords();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isStillOpen = useRef(false);
  isStillOpen.current = isOpen;

  /** Waits until the picker has closed, if it does: only then the field can have the focus and undo the insertion. */
  function put(emoji: string) {
    requestAnimationFrame(() => {
      if (!area.current) return;
      if (!isStillOpen.current) area.current.focus({ preventScroll: true });
      const { selectionStart, selectionEnd } = area.current;
      replaceText(area.current, selectionStart, selectionEnd, emoji);
    });
  }

  return (
    <>
      <IconButton
        ref={button}
        label={words.emoji}
        icon={Smile}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && <EmojiPicker anchor={button} onPick={put} onClose={() => setOpen(false)} />}
    </>
  );
}
