// A recording in a message, with the browser's own controls; a card if the browser cannot play it.
import type { SyntheticEvent } from "react";
import { useHouse } from "../../../web/ui/session/house.tsx";
import type { Attachment } from "../contract.ts";
import styles from "./attachments.module.css";
import { useFailed } from "./failed.ts";
import { FileCard } from "./file-card.tsx";

interface Props {
  medium: "video" | "audio";
  file: Attachment;
}

export function Player({ medium, file }: Props) {
  const { chat } = useHouse();
  const [hasFailed, fail] = useFailed();
  if (hasFailed) return <FileCard file={file} />;
  const shared = {
    src: file.url,
    controls: true,
    preload: "metadata",
    "aria-label": file.name,
    // A recording that the browser cannot play does not change by another try. Of one that did not arrive at all, the
    // browser says the same.
    onError: ({ currentTarget: { error } }: SyntheticEvent<HTMLMediaElement>) =>
      fail(
        error?.code === MediaError.MEDIA_ERR_NETWORK ||
          chat.state.connection.is !== "live" ||
          !navigator.onLine,
      ),
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
