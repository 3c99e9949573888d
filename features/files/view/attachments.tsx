// The files of a message: pictures in boxes of known size, players, and cards for all other files.
import { useState } from "react";
import type { Attachment } from "../contract.ts";
import styles from "./attachments.module.css";
import { FileCard } from "./file-card.tsx";
import { Lightbox, type SaidIn } from "./lightbox.tsx";
import { PictureBox } from "./picture-box.tsx";
import { Player } from "./player.tsx";

interface Props {
  attachments: readonly Attachment[];
  message: SaidIn;
}

/** A single picture stands among the other files; several are a grid above them. */
export function Attachments({ attachments, message }: Props) {
  const [openAt, setOpenAt] = useState<number>();
  const pictures = attachments.filter(isPicture);
  const isGrid = pictures.length > 1;
  const boxOf = (picture: Attachment) => (
    <PictureBox
      key={picture.url}
      src={picture.preview_url ?? picture.url}
      moving={picture.animated ? picture.url : undefined}
      name={picture.name}
      width={picture.width}
      height={picture.height}
      isCell={isGrid}
      onOpen={() => setOpenAt(pictures.indexOf(picture))}
    />
  );
  return (
    <div className={styles.files}>
      {isGrid && (
        <div className={styles.grid} data-count={pictures.length}>
          {pictures.map(boxOf)}
        </div>
      )}
      {attachments.map((each) => {
        if (isPicture(each)) return isGrid ? null : boxOf(each);
        const medium = /^(video|audio)\//.exec(each.content_type)?.[1] as "video" | "audio" | undefined;
        if (medium) return <Player key={each.url} medium={medium} file={each} />;
        return <FileCard key={each.url} file={each} />;
      })}
      {openAt !== undefined && (
        <Lightbox
          slides={pictures.map(({ url, preview_url, name, width, height, size }) => ({
            ...{ src: url, alt: name, width, height, size },
            ...(preview_url !== null && { preview: preview_url }),
          }))}
          index={openAt}
          message={message}
          onClose={() => setOpenAt(undefined)}
        />
      )}
    </div>
  );
}

function isPicture({ content_type }: Attachment): boolean {
  return content_type.startsWith("image/");
}
