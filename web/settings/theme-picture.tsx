// A thumbnail of a theme: the sidebar, the spine, a few lines of text and a mark.
import styles from "./theme-picture.module.css";

type Pictured = "paper" | "night" | "bold";

/** With two themes, the second covers the lower corner. */
export function ThemePicture({ of: themes }: { of: readonly Pictured[] }) {
  return themes.map((theme, i) => (
    <span key={theme} className={styles.picture} data-of={theme} data-corner={i > 0 || undefined}>
      <i className={styles.side} />
      <i className={styles.spine} />
      <i className={styles.mark} />
      <i className={styles.name} />
      <i className={styles.text} />
      <i className={styles.last} />
    </span>
  ));
}
