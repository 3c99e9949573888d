// A slider between two numbers, with its value.
import type { ReactNode } from "react";
import styles from "./slider.module.css";

interface Props {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  /** The value as text, "15 px", shown beside the slider and read by screen readers. */
  said: string;
  /** The content at its two ends. */
  ends?: readonly [ReactNode, ReactNode];
  onChange(value: number): void;
}

export function Slider({ label, value, min, max, step = 1, said, ends, onChange }: Props) {
  return (
    <div className={styles.row}>
      {ends && <span aria-hidden="true">{ends[0]}</span>}
      <input
        type="range"
        className={styles.slider}
        aria-label={label}
        aria-valuetext={said}
        value={value}
        min={min}
        max={max}
        step={step}
        style={{ "--at": `${max > min ? ((value - min) / (max - min)) * 100 : 100}%` }}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      {ends && <span aria-hidden="true">{ends[1]}</span>}
      <output className={styles.said}>{said}</output>
    </div>
  );
}
