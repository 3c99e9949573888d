// The second step: the name of the instance, and who may register on it.
import { type ReactNode, useEffect, useState } from "react";
import type { CallError } from "../../client/call.ts";
import { getSettings, setSettings } from "../../features/instance/calls.ts";
import { askInstance, forgetInstance } from "../../features/instance/view/instance.ts";
import { limits } from "../../protocol/limits.ts";
import { Button } from "../ui/controls/button.tsx";
import { Field, Problem } from "../ui/controls/entry.tsx";
import { RadioGroup } from "../ui/controls/radio-group.tsx";
import { fieldProblem } from "../ui/words/field-problem.ts";
import { useRefusal } from "../ui/words/refusal.ts";
import { useWords } from "../ui/words/words.ts";
import { useStepAct } from "./step-act.ts";
import styles from "./step-gate.module.css";
import { StepGate } from "./step-gate.tsx";

type Settings = Awaited<ReturnType<typeof getSettings>>;

export function HouseStep({ foot, onDone }: { foot: ReactNode; onDone(): void }) {
  const { setup: words } = useWords();
  const [settings, setForm] = useState<Settings>();
  const { isBusy, error, run } = useStepAct();
  const refusal = useRefusal(error);

  const ask = () => run(async () => setForm(await getSettings()));
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once; "Go on" asks again.
  useEffect(() => void ask(), []);

  function save() {
    if (!settings) return ask();
    const { name, registration, fixed } = settings;
    const body = {
      ...(!fixed.includes("name") && { name: name.trim() }),
      ...(!fixed.includes("registration") && { registration }),
    };
    return run(async () => {
      await setSettings({ body });
      // The next steps are called by the new name.
      forgetInstance();
      await askInstance();
      onDone();
    });
  }

  return (
    <StepGate step="house" onSubmit={() => void save()} foot={foot}>
      {settings && <Answers settings={settings} onChange={setForm} error={error} />}
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={isBusy}>
          {words.goOn}
        </Button>
      </div>
      <div aria-live="polite">{refusal && !error?.fields.length && <Problem>{refusal}</Problem>}</div>
    </StepGate>
  );
}

interface AnswersProps {
  settings: Settings;
  onChange(settings: Settings): void;
  error: CallError | undefined;
}

function Answers({ settings, onChange, error }: AnswersProps) {
  const { setup: words } = useWords();
  const { name, registration, fixed } = settings;
  const options = (["open", "invite", "closed"] as const).map((value) => ({
    value,
    label: words.registration[value],
    hint: words.registrationHint[value],
  }));
  return (
    <div className={styles.rows}>
      <div className={styles.stacked}>
        <Field
          label={words.name}
          hint={fixed.includes("name") ? words.fixed : words.nameHint}
          value={name}
          readOnly={fixed.includes("name")}
          maxLength={limits.instance_name_max}
          onChange={(event) => onChange({ ...settings, name: event.target.value })}
          problem={fieldProblem(error, "name")}
          autoFocus
        />
      </div>
      <div>
        <b>{words.whoMayJoin}</b>
        {fixed.includes("registration") ? (
          <p className={styles.fixed}>
            {words.registration[registration]}. {words.fixed}
          </p>
        ) : (
          <RadioGroup
            as="list"
            label={words.whoMayJoin}
            value={registration}
            options={options}
            onChange={(value) => onChange({ ...settings, registration: value })}
          />
        )}
      </div>
    </div>
  );
}
