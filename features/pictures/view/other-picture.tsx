// A picture of another host, mostly a GIF, fetched through this server: the host learns nothing about the readers.
import { useState } from "react";
import { pictureAddress } from "../../../web/ui/controls/picture.tsx";
import { Lightbox, type SaidIn } from "../../files/view/lightbox.tsx";
import { PictureBox } from "../../files/view/picture-box.tsx";

export function OtherPicture({ url, message }: { url: string; message: SaidIn }) {
  const [isOpen, setOpen] = useState(false);
  const name = nameIn(url);
  return (
    <>
      <PictureBox isElsewhere src={url} moving={url} name={name} onOpen={() => setOpen(true)} />
      {isOpen && (
        <Lightbox
          slides={[{ src: pictureAddress(url), alt: name, width: null, height: null }]}
          index={0}
          message={message}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/** The last path segment of the URL, or the host if there is none. */
function nameIn(url: string): string {
  const { pathname, hostname } = new URL(url);
  const last = pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last) || hostname;
  } catch {
    return last;
  }
}
