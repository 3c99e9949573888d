// Faces: the picture of a person or a server, or else the first letter of the name on a tone of their own.
import { type ReactNode, useState } from "react";
import { classNames } from "../browser/class-names.ts";
import styles from "./face.module.css";
import { Picture } from "./picture.tsx";

interface Props {
  id: string;
  name: string;
  /** An address of a picture on another host; this server fetches it. */
  picture?: string | null | undefined;
  /** In pixels. */
  size: number;
  /** How many of the name there are room for: two on the large face of a server. */
  letters?: number;
  children?: ReactNode;
}

/** The name stands beside it, so nothing is read out. */
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

/** Making one is slow, and each row of a room may have a face. */
const segmenter = new Intl.Segmenter();

/** As people count letters: an emoji is one. */
export function firstLetters(name: string, most: number): string[] {
  return [...segmenter.segment(name.trim())].slice(0, most).map(({ segment }) => segment);
}

/** The same hue for the same id, spread over the circle. */
export function hueOf(id: string): number {
  let sum = 0;
  for (const char of id) sum = (sum * 31 + char.charCodeAt(0)) % 360;
  return sum;
}
