// The frame of each row: whether it is the tab stop, and the highlight after a jump.
import { memo, useLayoutEffect, useRef } from "react";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import type { Row } from "../model/rows.ts";
import type { UseActive } from "../window/walk.ts";
import styles from "./row-frame.module.css";
import { RowView } from "./row-view.tsx";

interface Props {
  row: Row;
  useActive: UseActive;
  isFlashed: boolean;
}

export const RowFrame = memo(function RowFrame({ row, useActive, isFlashed }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const last = useRef<{ article: Element | null; hadFocus: boolean }>({ article: null, hadFocus: false });
  const isStop = useActive((active) => active.key === row.key);
  const isWanted = useActive((active) => active.key === row.key && active.isWanted);
  // Runs after each render: the row may be another element now.
  useLayoutEffect(() => {
    const article = frame.current?.querySelector("article");
    if (!article) return;
    article.tabIndex = isStop ? 0 : -1;
    const { article: before, hadFocus } = last.current;
    last.current.article = article;
    // A sent message is a new element, and takes over the focus of the unsent one.
    if (before && before !== article && hadFocus && document.activeElement === document.body)
      return focusOnceSeen(article, () => {});
    if (isWanted) return focusOnceSeen(article, () => useActive.setState({ isWanted: false }));
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notes where the focus is.
    <div
      ref={frame}
      className={classNames(styles.frame, isFlashed && styles.flashed)}
      onFocus={() => {
        last.current.hadFocus = true;
        useActive.setState({ usedKey: row.key });
      }}
      onBlur={() => {
        last.current.hadFocus = false;
      }}
    >
      <RowView row={row} />
    </div>
  );
});

/** A row is hidden until it is measured, and cannot receive the focus before. */
function focusOnceSeen(article: HTMLElement, done: () => void): () => void {
  let frame = 0;
  const focus = () => {
    article.focus({ preventScroll: true });
    if (document.activeElement === article) done();
    else frame = requestAnimationFrame(focus);
  };
  focus();
  return () => cancelAnimationFrame(frame);
}
