// An invite's page without an invite to show: it has ended, never existed, or could not be looked up.
import { Link2 } from "lucide-react";
import { useEffect } from "react";
import type { CallError } from "../../../client/call.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { ButtonLink } from "../../../web/ui/controls/button-link.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { useRefusal, useWait } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Actions, Gate } from "../../instance/view/gate.tsx";
import { AnotherInvite } from "./another-invite.tsx";
import styles from "./invited.module.css";
import { WaysIn } from "./ways-in.tsx";

interface Props {
  /** True if nobody is signed in. */
  isOut?: boolean;
}

/** The look-up of an invite failed. */
export function NotFound({ error, onRetry, ...of }: Props & { error: CallError; onRetry(): void }) {
  if (error.code === "invite_expired") return <Ended {...of} />;
  if (error.code === "not_found" || error.status === 400) return <Unknown {...of} />;
  return <Unanswered error={error} onRetry={onRetry} />;
}

function Ended(props: Props) {
  const { invites: words } = useWords();
  return <NoInvite title={words.endedTitle} lead={words.endedLead} {...props} />;
}

export function Unknown(props: Props) {
  const { invites: words } = useWords();
  return <NoInvite title={words.unknownTitle} lead={words.unknownLead} {...props} />;
}

function NoInvite({ title, lead, isOut = false }: Props & { title: string; lead: string }) {
  const { invites: words } = useWords();
  return (
    <Gate
      title={title}
      lead={lead}
      beside={
        <span className={styles.icon}>
          <span className={styles.none}>
            <Icon of={Link2} />
          </span>
        </span>
      }
    >
      <AnotherInvite />
      {isOut ? (
        <WaysIn />
      ) : (
        <Entry>
          <Actions>
            <ButtonLink href="/">{words.toServers}</ButtonLink>
          </Actions>
        </Entry>
      )}
    </Gate>
  );
}

/** The request failed. After a rate limit the page retries by itself. */
function Unanswered({ error, onRetry }: { error: CallError; onRetry(): void }) {
  const { invites: words, parts } = useWords();
  const refusal = useRefusal(error);
  const wait = useWait(error);
  const isOver = error.status === 429 && wait === undefined;
  useEffect(() => {
    if (isOver) onRetry();
  }, [isOver, onRetry]);
  return (
    <Gate title={words.unansweredTitle} lead={refusal}>
      <Entry>
        <Button onClick={onRetry} disabledBecause={wait}>
          {parts.tryAgain}
        </Button>
      </Entry>
    </Gate>
  );
}
