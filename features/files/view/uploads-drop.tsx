// The drop zone for files that are dragged over a room: shows where they go, and accepts them anywhere in it.
import { type RefObject, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./uploads.module.css";

interface Props {
  /** An element within the room; the room is the `main` around it. */
  within: RefObject<HTMLElement | null>;
  onFiles(files: File[]): void;
  onFolders(): void;
}

export function DropPlace({ within, onFiles, onFolders }: Props) {
  const { uploads: words } = useWords();
  const [over, setOver] = useState<DOMRect>();
  const take = useRef((_: DataTransfer) => {});
  take.current = (data) => {
    const { files, hasFolders } = filesIn(data);
    if (files.length > 0) onFiles(files);
    if (hasFolders) onFolders();
  };
  useEffect(() => {
    const room = within.current?.closest("main");
    if (!room) return;
    const stop = new AbortController();
    const on = (name: "dragover" | "dragleave" | "drop", run: (event: DragEvent) => void) =>
      room.addEventListener(name, run, { signal: stop.signal });
    on("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver((before) => before ?? room.getBoundingClientRect());
    });
    on("dragleave", (event) => {
      if (!room.contains(event.relatedTarget as Node | null)) setOver(undefined);
    });
    on("drop", (event) => {
      setOver(undefined);
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      take.current(event.dataTransfer);
    });
    return () => stop.abort();
  }, [within]);
  if (!over) return null;
  const { left, top, width, height } = over;
  return createPortal(
    <div className={styles.drop} style={{ left, top, width, height }} aria-hidden="true">
      <p>{words.drop}</p>
    </div>,
    document.body,
  );
}

/** Splits files from folders, which cannot be sent; reading one would fail much later. */
function filesIn({ items, files }: DataTransfer): { files: File[]; hasFolders: boolean } {
  const entries = [...items].filter(({ kind }) => kind === "file").map((item) => item.webkitGetAsEntry());
  return {
    files: [...files].filter((_, i) => !entries[i]?.isDirectory),
    hasFolders: entries.some((entry) => entry?.isDirectory),
  };
}
