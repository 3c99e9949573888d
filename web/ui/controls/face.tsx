// Avatars: the first letter of the name on a colour derived from the id, and over it the picture of the person or server
// once it is loaded.
import { type ReactNode, useState } from "react";
import { classNames } from "../browser/class-names.ts";
import { noteFailedPicture, useFailedPictures } from "../browser/failed-pictures.ts";
import styles from "./face.module.css";
import { firstLetter, initials } from "./initials.ts";
import { loaded, Picture, pictureAddress } from "./picture.tsx";

interface Props {
  id: string;
  name: string;
  /** The address of a picture: one that this server has, or one of another host, which this server fetches. */
  picture?: string | null | undefined;
  /** The size in pixels. */
  size: number;
  /** The name is that of a server, of which two letters are shown. */
  isServer?: boolean;
  children?: ReactNode;
}

/** Hidden from screen readers, because the name is beside it. */
export function Face({ id, name, picture, size, isServer, children }: Props) {
  return (
    <span
      className={classNames(styles.face, "tone")}
      style={{ "--size": `${size}px`, "--hue": hueOf(id) }}
      aria-hidden="true"
    >
      {isServer ? initials(name) : firstLetter(name)}
      {picture && <FacePicture url={picture} size={size} />}
      {children}
    </span>
  );
}

/** Covers the monogram in the element around it, once the picture is loaded; one that failed is not asked for again. */
export function FacePicture({ url, size }: { url: string; size: number }) {
  const [, setLoaded] = useState<string>();
  const failed = useFailedPictures();
  const path = pictureAddress(url, size);
  if (failed.has(path)) return null;
  return (
    <Picture
      key={path}
      url={url}
      alt=""
      size={size}
      className={classNames(styles.picture, !loaded.has(path) && styles.coming)}
      onLoad={() => setLoaded(path)}
      onFail={() => noteFailedPicture(path)}
    />
  );
}

/** Returns a hue in degrees, always the same for an id. */
export function hueOf(id: string): number {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + char.charCodeAt(0)) % 360;
  return sum;
}
