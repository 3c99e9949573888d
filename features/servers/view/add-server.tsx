// The dialog that creates or joins a server.
import { limits } from "../../../protocol/limits.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Field } from "../../../web/ui/controls/entry.tsx";
import { Or } from "../../../web/ui/controls/or.tsx";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import styles from "./add-server.module.css";
import { sent, useJoining, useMaking } from "./ways-in.ts";

export function AddServer({ onClose }: { onClose(): void }) {
  const { servers: words } = useWords();
  return (
    <Dialog title={words.add} onClose={onClose}>
      <Make onDone={onClose} />
      <div className={styles.or}>
        <Or>{words.orJoin}</Or>
      </div>
      <Join onDone={onClose} />
    </Dialog>
  );
}

function Make({ onDone }: { onDone(): void }) {
  const { servers: words } = useWords();
  const making = useMaking(onDone);
  return (
    <form noValidate className={styles.form} onSubmit={(event) => sent(event, making.make)}>
      <Field
        label={words.name}
        hint={words.nameHint}
        value={making.name}
        maxLength={limits.server_name_max}
        onChange={(event) => making.setName(event.target.value)}
        problem={making.problem}
        autoFocus
      />
      <Button kind="primary" type="submit" isWide isBusy={making.isBusy} disabledBecause={making.wait}>
        {words.createServer}
      </Button>
    </form>
  );
}

function Join({ onDone }: { onDone(): void }) {
  const { servers: words } = useWords();
  const joining = useJoining(onDone);
  return (
    <form noValidate className={styles.form} onSubmit={(event) => sent(event, joining.join)}>
      <Field
        label={words.inviteField}
        hint={words.inviteHint}
        value={joining.pasted}
        onChange={(event) => joining.paste(event.target.value)}
        problem={joining.problem}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Button type="submit" isWide>
        {words.joinServer}
      </Button>
    </form>
  );
}
