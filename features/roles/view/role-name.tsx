// The name of a role in its colour, adjusted for contrast, next to the chosen colour.
import styles from "./role-name.module.css";

export function RoleName({ name, color }: { name: string; color: string }) {
  return (
    <span className={styles.name}>
      <span className={styles.swatch} style={{ "--swatch": color }} aria-hidden="true" />
      <b className="lit" style={{ "--user": color }}>
        {name}
      </b>
    </span>
  );
}
