// The form that makes a badge.
import { useState } from "react";
import type { CallError } from "../../../client/call.ts";
import { limits } from "../../../protocol/limits.ts";
import { announce } from "../../../web/ui/browser/announce.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { ColourChoice, firstColour } from "../../../web/ui/controls/colour-choice.tsx";
import { Entry, Field } from "../../../web/ui/controls/entry.tsx";
import { Switch } from "../../../web/ui/controls/switch.tsx";
import { useHold } from "../../../web/ui/navigation/leaving.ts";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { fieldProblem } from "../../../web/ui/words/field-problem.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Badge } from "../../accounts/contract.ts";
import { createBadge } from "../calls.ts";
import styles from "./badges-page.module.css";

const empty = { name: "", icon: "", description: "", color: null as string | null };

type Values = typeof empty;

export function NewBadge({ onMade }: { onMade(badge: Badge): void }) {
  const { badges: words } = useWords();
  const [values, setValues] = useState(empty);
  const { isBusy, error, run } = useAct();
  useHold(JSON.stringify(values) !== JSON.stringify(empty));

  async function make() {
    await run(async () => {
      const badge = await createBadge({ body: values });
      // Letters typed meanwhile are for the next one.
      setValues((now) => (now === values ? empty : now));
      onMade(badge);
      announce(words.made(badge.name));
    });
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <Entry label={<h3 className={styles.title}>{words.another}</h3>}>
        <span />
      </Entry>
      <Fields
        values={values}
        error={error}
        onChange={(change) => setValues((now) => ({ ...now, ...change }))}
      />
      <Entry>
        <Button type="submit" isBusy={isBusy}>
          {words.make}
        </Button>
        {error?.fields.length === 0 && <Refused by={error} />}
      </Entry>
    </form>
  );
}

interface FieldsProps {
  values: Values;
  error: CallError | undefined;
  onChange(change: Partial<Values>): void;
}

function Fields({ values, error, onChange }: FieldsProps) {
  const { badges: words } = useWords();
  const problem = (field: string) => fieldProblem(error, field);
  return (
    <>
      <Field
        label={words.name}
        value={values.name}
        maxLength={limits.badge_name_max}
        problem={problem("name")}
        onChange={(event) => onChange({ name: event.target.value })}
      />
      <Field
        label={words.icon}
        hint={words.iconHint}
        value={values.icon}
        problem={problem("icon")}
        onChange={(event) => onChange({ icon: event.target.value })}
      />
      <Field
        label={words.description}
        value={values.description}
        maxLength={limits.badge_description_max}
        problem={problem("description")}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <Colour value={values.color} onChange={(color) => onChange({ color })} />
    </>
  );
}

function Colour({ value, onChange }: { value: string | null; onChange(value: string | null): void }) {
  const { badges: words } = useWords();
  return (
    <Entry label={words.color}>
      <Switch
        label={words.hasColor}
        isOn={value !== null}
        onChange={(isOn) => onChange(isOn ? firstColour : null)}
      />
      {value !== null && <ColourChoice label={words.color} value={value} onChange={onChange} />}
    </Entry>
  );
}
