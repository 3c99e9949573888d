// A recording in a message, with the browser's own controls; a card if the browser cannot play it.
import type { Attachment } from "../contract.ts";
import styles from "./attachments.module.css";
import { useFailed } from "./failed.ts";
import { FileCard } from "./file-card.tsx";

interface Props {
  medium: "video" | "audio";
  file: Attachment;
}

export function Player({ medium, file }: Props) {
  const [hasFailed, onError] = useFailed();
  if (hasFailed) return <FileCard file={file} />;
  const shared = {
    src: file.url,
    controls: true,
    preload: "metadata",
    "aria-label": file.name,
    onError,
  } as const;
  if (medium === "audio") {
    return (
      <figure className={styles.audio}>
        <audio {...shared} />
        <figcaption>{file.name}</figcaption>
      </figure>
    );
  }
  return <video {...shared} className={styles.video} />;
}
