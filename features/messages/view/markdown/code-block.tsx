// A code block: language, copy button, lazy syntax colours, and folding when it is long.
import { Check, Copy } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { focusAfter } from "../../../../web/ui/browser/focus-after.ts";
import { copyText } from "../../../../web/ui/controls/copy-text.ts";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import styles from "./code-block.module.css";
import type { Piece } from "./highlight.ts";

/** Longer blocks are folded. */
const mostLines = 24;
/** How long the copy button confirms, in milliseconds. */
const saysSoMs = 2000;

export function CodeBlock({ language, text }: { language: string; text: string }) {
  const { messages: words } = useWords();
  const [isOpen, setOpen] = useState(false);
  const lines = text.split("\n");
  const isFolded = !isOpen && lines.length > mostLines;
  const shown = isFolded ? lines.slice(0, mostLines).join("\n") : text;
  const figure = useRef<HTMLElement>(null);
  const pieces = useColours(figure, shown, language);
  return (
    <figure ref={figure} className={styles.code} aria-label={words.code(language)}>
      <header>
        <span>{language || words.plainCode}</span>
        <CopyButton text={text} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways has to be reached by key. */}
      <pre tabIndex={0}>
        <code>{pieces ? pieces.map(drawn) : shown}</code>
      </pre>
      {isFolded && (
        <button
          type="button"
          className={styles.more}
          onClick={({ currentTarget }) => {
            focusAfter(currentTarget.closest("figure"), "pre");
            setOpen(true);
          }}
        >
          {words.showLines(lines.length)}
        </button>
      )}
    </figure>
  );
}

function drawn(piece: Piece, i: number) {
  if (typeof piece === "string") return piece;
  return (
    <span key={i} className={styles[piece.as]}>
      {piece.text}
    </span>
  );
}

/** Colours load once the block is visible, without a layout change. Undefined: there are none for it, or not yet. */
function useColours(
  figure: RefObject<HTMLElement | null>,
  text: string,
  language: string,
): readonly Piece[] | undefined {
  const [coloured, setColoured] = useState<{ text: string; pieces: readonly Piece[] }>();
  useEffect(() => {
    const { current } = figure;
    if (language === "" || !current) return;
    const left = new AbortController();
    const observer = new IntersectionObserver(([seen]) => {
      if (!seen?.isIntersecting) return;
      observer.disconnect();
      import("./colours.ts")
        .then(({ coloursOf }) => coloursOf(text, language, left.signal))
        .then((pieces) => pieces && setColoured({ text, pieces }))
        // The code is readable without colours.
        .catch(() => {});
    });
    observer.observe(current);
    return () => {
      observer.disconnect();
      left.abort();
    };
  }, [figure, text, language]);
  return coloured?.text === text ? coloured.pieces : undefined;
}

function CopyButton({ text }: { text: string }) {
  const { messages: words, parts } = useWords();
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), saysSoMs);
    return () => clearTimeout(timer);
  }, [isDone]);
  const label = isDone ? parts.copied : words.copyCode;
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={classNames(styles.copy, isDone && styles.done)}
      onClick={() => void copyText(text).then(setDone)}
    >
      <Icon of={isDone ? Check : Copy} size={14} />
    </button>
  );
}
