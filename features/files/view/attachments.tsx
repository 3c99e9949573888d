// The files of a message: pictures in boxes of known size, players, and cards for all other files.
import { useState } from "react";
import type { Attachment } from "../contract.ts";
import styles from "./attachments.module.css";
import { FileCard } from "./file-card.tsx";
import { Lightbox } from "./lightbox.tsx";
import { PictureBox } from "./picture-box.tsx";
import { Player } from "./player.tsx";

export function Attachments({ attachments }: { attachments: readonly Attachment[] }) {
  const [openAt, setOpenAt] = useState<number>();
  const pictures = attachments.filter(isPicture);
  if (attachments.length === 0) return null;
  return (
    <div className={styles.files}>
      {attachments.map((each) => {
        if (isPicture(each)) {
          return (
            <PictureBox
              key={each.url}
              src={each.preview_url ?? each.url}
              moving={each.animated ? each.url : undefined}
              name={each.name}
              width={each.width}
              height={each.height}
              onOpen={() => setOpenAt(pictures.indexOf(each))}
            />
          );
        }
        const medium = /^(video|audio)\//.exec(each.content_type)?.[1] as "video" | "audio" | undefined;
        if (medium) return <Player key={each.url} medium={medium} file={each} />;
        return <FileCard key={each.url} file={each} />;
      })}
      {openAt !== undefined && (
        <Lightbox
          slides={pictures.map(({ url, name, width, height }) => ({ src: url, alt: name, width, height }))}
          index={openAt}
          onClose={() => setOpenAt(undefined)}
        />
      )}
    </div>
  );
}

function isPicture({ content_type }: Attachment): boolean {
  return content_type.startsWith("image/");
}
