// A colour field: one of eight swatches, or any other colour by the system's picker.
import { useId } from "react";
import { useWords } from "../words/words.ts";
import styles from "./colour-choice.module.css";

/** The swatches in display order; their names are in the catalogue. */
const swatches = [
  ["rust", "#b0562f"],
  ["ochre", "#a8741a"],
  ["moss", "#5b7f2b"],
  ["verdigris", "#2f8f83"],
  ["blue", "#2f6fa8"],
  ["violet", "#6a5bb0"],
  ["rose", "#a8497d"],
  ["grey", "#6b6f76"],
] as const;

/** The initial colour for people who have none yet: the page's own verdigris. */
export const firstColour = "#2f8f83";

interface Props {
  label: string;
  value: string;
  /** The reason why it cannot be changed now. */
  disabledBecause?: string | undefined;
  onChange(value: string): void;
}

export function ColourChoice({ label, value, disabledBecause, onChange }: Props) {
  const { parts: words } = useWords();
  const name = useId();
  const isOff = disabledBecause !== undefined;
  return (
    <fieldset className={styles.choice} title={disabledBecause} disabled={isOff}>
      <legend className="visually-hidden">{label}</legend>
      {swatches.map(([colour, hex]) => (
        <input
          key={hex}
          type="radio"
          name={name}
          className={styles.swatch}
          style={{ "--swatch": hex }}
          aria-label={words.colours[colour]}
          checked={value === hex}
          onChange={() => onChange(hex)}
        />
      ))}
      <label className={styles.custom}>
        <input
          type="color"
          aria-label={words.ownColour}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <span aria-hidden="true">{value}</span>
      </label>
    </fieldset>
  );
}
