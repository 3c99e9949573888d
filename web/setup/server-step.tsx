// The third step: the first server.
import type { ReactNode } from "react";
import { createServer } from "../../features/servers/calls.ts";
import { limits } from "../../protocol/limits.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field } from "../ui/controls/entry.tsx";
import { useTyped } from "../ui/overlays/typed.ts";
import { fieldProblem } from "../ui/words/field-problem.ts";
import { useRefusal } from "../ui/words/refusal.ts";
import { useWords } from "../ui/words/words.ts";
import { useStepAct } from "./step-act.ts";
import styles from "./step-gate.module.css";
import { StepGate } from "./step-gate.tsx";

interface Props {
  foot: ReactNode;
  onBack(): void;
  onMade(server: { id: string; name: string }): void;
}

export function ServerStep({ foot, onBack, onMade }: Props) {
  const { setup: words } = useWords();
  const { value: name, set: setName } = useTyped("first server");
  const { isBusy, error, run } = useStepAct();
  const refusal = useRefusal(error);

  async function make() {
    if (isBusy) return;
    await run(async () => {
      const made = await createServer({ body: { name: name.trim() } });
      onMade({ id: made.id, name: made.name });
    });
  }

  return (
    <StepGate step="server" onSubmit={() => void make()} foot={foot}>
      <div className={styles.stacked}>
        <Field
          label={words.serverName}
          hint={words.serverHint}
          value={name}
          maxLength={limits.server_name_max}
          onChange={(event) => setName(event.target.value)}
          problem={fieldProblem(error, "name") ?? refusal}
          autoFocus
        />
      </div>
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {words.makeServer}
        </Button>
        <Button kind="quiet" isBusy={isBusy} onClick={onBack}>
          {words.back}
        </Button>
      </div>
    </StepGate>
  );
}
