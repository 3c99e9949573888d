// A field on the page of a dead invite that opens another one.
import { useId, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../../web/ui/controls/button.tsx";
import entry from "../../../web/ui/controls/entry.module.css";
import { described, Entry, FieldNote } from "../../../web/ui/controls/entry.tsx";
import { inviteCodeIn } from "../../../web/ui/navigation/invite-code.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./invited.module.css";

export function AnotherInvite() {
  const { invites: words, servers } = useWords();
  const [, navigate] = useLocation();
  const [pasted, setPasted] = useState("");
  const [isWrong, setWrong] = useState(false);
  const id = useId();
  const note = { hint: words.anotherHint, problem: isWrong ? servers.noInvite : undefined };
  function open() {
    const code = inviteCodeIn(pasted);
    setWrong(!code);
    if (code) navigate(paths.invite(code));
  }
  return (
    <Entry label={words.another}>
      <form
        noValidate
        className={styles.another}
        onSubmit={(event) => {
          event.preventDefault();
          open();
        }}
      >
        <input
          {...described(id, note)}
          id={id}
          className={entry.input}
          aria-label={servers.inviteField}
          value={pasted}
          onChange={(event) => setPasted(event.target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit">{words.open}</Button>
      </form>
      <FieldNote id={id} {...note} />
    </Entry>
  );
}
