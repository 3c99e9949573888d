// Avatars: the picture of a person or server, or else the first letter of the name on a colour derived from the id.
import { type ReactNode, useState } from "react";
import { classNames } from "../browser/class-names.ts";
import styles from "./face.module.css";
import { Picture } from "./picture.tsx";

interface Props {
  id: string;
  name: string;
  /** The address of a picture on another host; this server fetches it. */
  picture?: string | null | undefined;
  /** The size in pixels. */
  size: number;
  /** How many letters of the name to show: two on the large face of a server. */
  letters?: number;
  children?: ReactNode;
}

/** Hidden from screen readers, because the name is beside it. */
export function Face({ id, name, picture, size, letters = 1, children }: Props) {
  const [isBroken, setBroken] = useState(false);
  const shows = picture && !isBroken;
  return (
    <span
      className={classNames(styles.face, !shows && "tone", !shows && styles.letter)}
      style={{ "--size": `${size}px`, "--hue": hueOf(id) }}
      aria-hidden="true"
    >
      {shows ? <Picture url={picture} alt="" onFail={() => setBroken(true)} /> : lettersOf(name, letters)}
      {children}
    </span>
  );
}

function lettersOf(name: string, most: number): string {
  const [first = "?", ...others] = firstLetters(name, most);
  return [first.toLocaleUpperCase(), ...others].join("");
}

/** Shared, because creating a segmenter is slow, and each row of a room may have a face. */
const segmenter = new Intl.Segmenter();

/** Returns the first graphemes of a name: an emoji counts as one letter. */
export function firstLetters(name: string, most: number): string[] {
  return [...segmenter.segment(name.trim())].slice(0, most).map(({ segment }) => segment);
}

/** Returns a hue in degrees, always the same for an id. */
export function hueOf(id: string): number {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + char.charCodeAt(0)) % 360;
  return sum;
}
