// The explanation of a member's permissions in a channel, step by step: who gives or takes each, and what holds in the end.
import { Check, X } from "lucide-react";
import { useCallback } from "react";
import { permission } from "../../../../protocol/permissions.ts";
import { classNames } from "../../../../web/ui/browser/class-names.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { Dialog } from "../../../../web/ui/overlays/dialog.tsx";
import { Loaded, useFetched } from "../../../../web/ui/session/fetched.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { explainPermissions } from "../../calls.ts";
import type { OwnChannel } from "../../state.ts";
import { signed } from "../signed.ts";
import styles from "./permissions.module.css";
import { rightsIn } from "./targets.ts";

interface Props {
  channel: OwnChannel;
  userId: string;
  name: string;
  onClose(): void;
}

type Explained = Awaited<ReturnType<typeof explainPermissions>>;
type Step = Explained["steps"][number];

export function WhyDialog({ channel, userId, name, onClose }: Props) {
  const { channels, channelSettings: words } = useWords();
  const load = useCallback(
    (signal: AbortSignal) => explainPermissions({ params: { id: channel.id, userID: userId } }, signal),
    [channel.id, userId],
  );
  const fetched = useFetched(load);
  return (
    <Dialog title={channels.whatCan(name)} isWide onClose={onClose}>
      <p className={styles.lead}>{words.whyLead}</p>
      <Loaded of={fetched}>
        {({ steps, permissions }) => (
          <ol className={styles.why}>
            {steps.map((step, i) => (
              <StepRow
                key={`${step.source} ${step.id}`}
                channel={channel}
                step={step}
                before={steps[i - 1]?.result ?? 0}
              />
            ))}
            <li className={classNames(styles.step, styles.result)}>
              <div className={styles.giver}>{words.result}</div>
              <Gives channel={channel} has={permissions} lacks={~permissions} />
            </li>
          </ol>
        )}
      </Loaded>
      <div className={styles.foot}>
        <Button kind="primary" onClick={onClose}>
          {words.done}
        </Button>
      </div>
    </Dialog>
  );
}

function StepRow({ channel, step, before }: { channel: OwnChannel; step: Step; before: number }) {
  const { channelSettings: words } = useWords();
  const place = placeOf(step);
  const where = {
    server: words.inServer,
    channel: words.inChannel(signed(channel)),
    none: undefined,
  }[place];
  const who = {
    owner: words.stepOwner,
    administrator: `${step.name} (${words.stepAdministrator})`,
    no_view: words.noView,
  };
  const [added, taken] = [step.allow, step.deny & ~step.allow];
  return (
    <li className={styles.step}>
      <div className={styles.giver}>
        {step.source in who ? who[step.source as keyof typeof who] : step.name}
        {where !== undefined && <small className={styles.small}>{where}</small>}
      </div>
      {step.source === "no_view" ? (
        <p className={styles.gives}>{words.cannotSee}</p>
      ) : before === step.result && place !== "server" ? (
        <p className={styles.gives}>{words.changesNothing}</p>
      ) : (
        <Gives channel={channel} has={added} lacks={taken} />
      )}
    </li>
  );
}

function placeOf({ source }: Step): "server" | "channel" | "none" {
  if (source === "role" || source === "administrator") return "server";
  return source === "owner" || source === "no_view" ? "none" : "channel";
}

function Gives({ channel, has, lacks }: { channel: OwnChannel; has: number; lacks: number }) {
  const { channelSettings: words, roles } = useWords();
  const rights = rightsIn(channel).filter((right) => ((has | lacks) & permission[right]) !== 0);
  if (rights.length === 0) return <p className={styles.gives}>{words.changesNothing}</p>;
  return (
    <div className={styles.gives}>
      {rights.map((right) => {
        const isHeld = (has & permission[right]) !== 0;
        return (
          <span key={right} className={isHeld ? undefined : styles.not}>
            <Icon of={isHeld ? Check : X} size={14} />
            <span className="visually-hidden">{isHeld ? words.choices.allow : words.choices.deny}</span>
            {roles.rights[right].name}
          </span>
        );
      })}
    </div>
  );
}
