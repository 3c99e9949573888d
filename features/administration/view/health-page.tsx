// Health page: the parts of the instance, which of them work, and which need their operator.
import { Check, Minus, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";
import { classNames } from "../../../web/ui/browser/class-names.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { Link } from "../../../web/ui/navigation/link.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { Loaded, useFetched } from "../../../web/ui/session/fetched.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { SettingsPage } from "../../../web/ui/settings/settings-frame.tsx";
import { moment } from "../../../web/ui/words/days.ts";
import { currentLanguage, useWords } from "../../../web/ui/words/words.ts";
import { useInstance } from "../../instance/view/instance.ts";
import { useTitle } from "../../instance/view/title.ts";
import { sendTestPush } from "../../push/calls.ts";
import { getHealth, sendTestMail } from "../calls.ts";
import type { CheckResult } from "../contract.ts";
import styles from "./health-page.module.css";

export function HealthPage() {
  const { administration: words } = useWords();
  useTitle(words.health);
  const asked = useFetched(ask);
  const again = useAct();
  const lookAgain = () =>
    again.run(async () => {
      const found = await ask();
      asked.change(() => found);
    });
  return (
    <SettingsPage
      title={words.health}
      lead={asked.value && <Summary checks={asked.value.checks} at={asked.value.at} />}
    >
      <Entry label={<span className={styles.flush}>{words.parts}</span>}>
        <Loaded of={asked}>
          {({ checks }) => (
            <>
              <ul className={styles.parts}>
                {checks.map((check) => (
                  <Part key={check.name} check={check} />
                ))}
              </ul>
              <Button isBusy={again.isBusy} onClick={() => void lookAgain()}>
                {words.lookAgain}
              </Button>
              <Refused by={again.error} />
            </>
          )}
        </Loaded>
      </Entry>
    </SettingsPage>
  );
}

async function ask(signal?: AbortSignal) {
  const { checks } = await getHealth({}, signal);
  return { checks: [...checks].sort((one, other) => urgency(one) - urgency(other)), at: new Date() };
}

/** Sorts checks that need somebody before those that are well. */
function urgency(check: CheckResult): number {
  return ["failed", "caution", "ok", "off"].indexOf(standingOf(check));
}

/** A caution works but needs the operator, so it has no tick. */
function standingOf({ state, needs_you }: CheckResult): CheckResult["state"] | "caution" {
  return needs_you ? "caution" : state;
}

function Summary({ checks, at }: { checks: readonly CheckResult[]; at: Date }) {
  const { administration: words } = useWords();
  const version = useInstance()?.version ?? "";
  const needing = checks
    .filter((check) => ["failed", "caution"].includes(standingOf(check)))
    .map(({ name }) => words.checks[name] ?? name);
  const list = new Intl.ListFormat(currentLanguage()).format(needing);
  return (
    <>
      <b className={styles.summary}>
        {needing.length > 0 ? words.needYou(list, needing.length) : words.well}
      </b>{" "}
      {words.healthLead(version, moment(at))}
    </>
  );
}

const icons = { ok: Check, off: Minus, failed: TriangleAlert, caution: TriangleAlert };

function Part({ check }: { check: CheckResult }) {
  const { administration: words } = useWords();
  const { name, state, message } = check;
  const standing = standingOf(check);
  return (
    <li className={classNames(styles.part, styles[standing])}>
      <Icon of={icons[standing]} size={16} />
      <div className={styles.said}>
        <b>{words.checks[name] ?? name}</b>
        <span className="visually-hidden">, {words.states[standing === "caution" ? "failed" : state]}</span>
        {message.split("\n").map((line) => (
          <p key={line} lang="en">
            {line}
          </p>
        ))}
      </div>
      <Act name={name} state={state} />
    </li>
  );
}

/** The action that is offered for a part. */
function Act({ name, state }: Pick<CheckResult, "name" | "state">): ReactNode {
  const { administration: words } = useWords();
  const email = useCopy(({ user }) => user.email);
  if (name === "data folder") return <Link href={paths.admin("storage")}>{words.seeStorage}</Link>;
  if (state === "off") return null;
  if (name === "mail")
    return <Trial button={words.sendMail} done={words.mailSent(email)} run={sendTestMail} />;
  if (name === "push") return <Trial button={words.sendPush} done={words.pushSent} run={sendTestPush} />;
  return null;
}

/** A button that tries something, and shows the outcome beside itself. */
function Trial({ button, done, run }: { button: string; done: string; run(): Promise<unknown> }) {
  const act = useAct();
  const [hasRun, setRun] = useState(false);

  async function attempt() {
    setRun(false);
    setRun(await act.run(run));
  }

  return (
    <div className={styles.trial}>
      <Button isSmall isBusy={act.isBusy} onClick={() => void attempt()}>
        {button}
      </Button>
      <Refused by={act.error} />
      <div role="status">{hasRun && <p className={styles.done}>{done}</p>}</div>
    </div>
  );
}
