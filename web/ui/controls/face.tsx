// Avatars: the picture of a person or server, or else the first letter of the name on a colour derived from the id.
import { type ReactNode, useState } from "react";
import { classNames } from "../browser/class-names.ts";
import styles from "./face.module.css";
import { firstLetter, initials } from "./initials.ts";
import { Picture } from "./picture.tsx";

interface Props {
  id: string;
  name: string;
  /** The address of a picture on another host; this server fetches it. */
  picture?: string | null | undefined;
  /** The size in pixels. */
  size: number;
  /** The name is that of a server, of which two letters are shown. */
  isServer?: boolean;
  children?: ReactNode;
}

/** Hidden from screen readers, because the name is beside it. */
export function Face({ id, name, picture, size, isServer, children }: Props) {
  const [isBroken, setBroken] = useState(false);
  const shows = picture && !isBroken;
  return (
    <span
      className={classNames(styles.face, !shows && "tone", !shows && styles.letter)}
      style={{ "--size": `${size}px`, "--hue": hueOf(id) }}
      aria-hidden="true"
    >
      {shows ? (
        <Picture url={picture} alt="" onFail={() => setBroken(true)} />
      ) : isServer ? (
        initials(name)
      ) : (
        firstLetter(name)
      )}
      {children}
    </span>
  );
}

/** Returns a hue in degrees, always the same for an id. */
export function hueOf(id: string): number {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + char.charCodeAt(0)) % 360;
  return sum;
}
