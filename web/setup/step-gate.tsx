// The sheet of one step, with the list of all steps beside it and the current one marked.
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { Gate } from "../../features/instance/view/gate.tsx";
import { classNames } from "../ui/browser/class-names.ts";
import { Entry } from "../ui/controls/entry.tsx";
import { Icon } from "../ui/controls/icon.tsx";
import { useWords } from "../ui/words/words.ts";
import { type Step, steps } from "./progress.ts";
import styles from "./step-gate.module.css";

interface Props {
  step: Step;
  onSubmit?: () => void;
  /** Shown below the step's buttons. */
  foot?: ReactNode;
  children: ReactNode;
}

export function StepGate({ step, onSubmit, foot, children }: Props) {
  const { setup: words } = useWords();
  const number = steps.indexOf(step) + 1;
  return (
    <Gate
      title={words.titles[step]}
      lead={`${words.place(number, steps.length)} ${words.leads[step]}`}
      isStep
      {...(onSubmit && { onSubmit })}
    >
      <Entry label={<Steps at={number} />}>
        {children}
        {foot && <div className={styles.foot}>{foot}</div>}
      </Entry>
    </Gate>
  );
}

function Steps({ at }: { at: number }) {
  const { setup: words } = useWords();
  return (
    <ol className={styles.steps}>
      {steps.map((step, i) => (
        <li
          key={step}
          aria-current={i + 1 === at ? "step" : undefined}
          className={classNames(styles.step, i + 1 === at && styles.now)}
        >
          {words.names[step]}
          <span className={styles.number}>{i + 1 < at ? <Icon of={Check} size={14} /> : i + 1}</span>
        </li>
      ))}
    </ol>
  );
}
