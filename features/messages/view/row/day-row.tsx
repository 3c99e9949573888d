// The row that begins a day: its number in the margin, its name to the right of the spine.
import { dayName } from "../../../../web/ui/words/times.ts";
import styles from "../window/divisions.module.css";

export function DayRow({ day }: { day: Date }) {
  const { weekday, number, month } = dayName(day);
  return (
    <div className={styles.day}>
      <hr aria-label={`${weekday} ${number} ${month}`} />
      <b aria-hidden="true">{number}</b>
      <span aria-hidden="true">
        {weekday}
        <small>{month}</small>
      </span>
    </div>
  );
}
