// The content of a message: text, edited mark and files; or a picture if the text is only its URL.

import { fullTime } from "../../../../web/ui/words/times.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import { Attachments } from "../../../files/view/attachments.tsx";
import { OtherPicture } from "../../../pictures/view/other-picture.tsx";
import type { Message } from "../../contract.ts";
import { pictureIn } from "../../text/address.ts";
import { Prose } from "../markdown/prose.tsx";
import { useNames } from "../model/known-names.ts";
import { useTurn } from "../model/turns.ts";
import styles from "./row.module.css";

/** Approximate number of letters per line. */
const lineLetters = 80;

export function Content({ message }: { message: Message }) {
  const { content, attachments, edited_at, server_id } = message;
  const names = useNames(message);
  const picture = pictureIn(content);
  const isDrawn = useTurn(message);
  const edited = edited_at !== null && <Edited at={edited_at} />;
  return (
    <>
      {picture !== undefined ? (
        <>
          <OtherPicture key={picture} url={picture} message={message} />
          {edited}
        </>
      ) : (
        (content !== "" || edited) &&
        (isDrawn ? (
          <Prose content={content} names={names} serverId={server_id} end={edited || undefined} />
        ) : (
          <div style={{ height: `calc(${linesOf(content)} * var(--row-lh))` }} />
        ))
      )}
      {attachments.length > 0 && <Attachments attachments={attachments} message={message} />}
    </>
  );
}

/** Returns the approximate number of lines of a text. */
function linesOf(content: string): number {
  return content
    .split("\n")
    .reduce((lines, { length }) => lines + Math.max(1, Math.ceil(length / lineLetters)), 0);
}

function Edited({ at }: { at: string }) {
  const { messages: words } = useWords();
  return (
    <span className={styles.edited} title={fullTime(new Date(at))}>
      {" "}
      {words.edited}
    </span>
  );
}
