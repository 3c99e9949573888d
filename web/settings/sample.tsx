// A preview of two messages with the chosen settings.
import { Face } from "../ui/controls/face.tsx";
import { clockTime } from "../ui/words/times.ts";
import { useWords } from "../ui/words/words.ts";
import styles from "./sample.module.css";

const at = new Date(2017, 6, 15, 8, 21);

export function Sample() {
  const { settings: words } = useWords();
  const { sample } = words.appearance;
  return (
    <div className={styles.sample} role="img" aria-label={sample.name}>
      {sample.messages.map(({ author, text }, i) => (
        <div key={author} className={styles.row}>
          <span className={styles.at}>{clockTime(at)}</span>
          <span className={styles.face}>
            <Face id={author} name={author} size={36} />
          </span>
          <p className={styles.body}>
            <b className={i > 0 ? "lit" : ""} style={i > 0 ? { "--user": authorColour } : {}}>
              {author}
            </b>
            <span>{text}</span>
          </p>
        </div>
      ))}
    </div>
  );
}

/** One of the colours that people can choose. */
const authorColour = "#2f8f83";
