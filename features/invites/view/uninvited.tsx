// An invite's page without an invite to show: people have to sign in first, or it expired, or never existed.
import { type ReactNode, useEffect } from "react";
import type { CallError } from "../../../client/call.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { ButtonLink } from "../../../web/ui/controls/button-link.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { remember } from "../../../web/ui/session/entering.ts";
import { useRefusal } from "../../../web/ui/words/refusal.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { Actions, Gate } from "../../instance/view/gate.tsx";
import { useInstance } from "../../instance/view/instance.ts";
import styles from "./invited.module.css";

/** For people who are not signed in: only people with an account may see where an invite leads. */
export function SignedOut() {
  const { invites: words } = useWords();
  const takesNew = useInstance()?.registration !== "closed";
  useEffect(() => remember(location.pathname), []);
  return (
    <Gate title={words.invitedTitle} lead={takesNew ? words.invitedLead : words.invitedLeadClosed}>
      <Entry>
        <Actions>
          {takesNew && (
            <ButtonLink href="/register" kind="primary">
              {words.create}
            </ButtonLink>
          )}
          <ButtonLink href="/login" kind={takesNew ? "second" : "primary"}>
            {words.signIn}
          </ButtonLink>
        </Actions>
      </Entry>
    </Gate>
  );
}

export function Ended({ code }: { code: string }) {
  const { invites: words } = useWords();
  return <NoInvite title={words.endedTitle} lead={words.endedLead} code={code} />;
}

export function Unknown({ code }: { code: string }) {
  const { invites: words } = useWords();
  return <NoInvite title={words.unknownTitle} lead={words.unknownLead} code={code} />;
}

function NoInvite({ title, lead, code }: { title: string; lead: ReactNode; code: string }) {
  const { invites: words } = useWords();
  return (
    <Gate title={title} lead={lead}>
      <Entry label={words.code}>
        <code className={styles.code}>{code}</code>
      </Entry>
      <Entry>
        <Actions>
          <ButtonLink href="/">{words.toServers}</ButtonLink>
        </Actions>
      </Entry>
    </Gate>
  );
}

/** The request failed. After a rate limit the page retries by itself. */
export function Unanswered({ error, onRetry }: { error: CallError; onRetry(): void }) {
  const { invites: words, parts } = useWords();
  const refusal = useRefusal(error);
  const isOver = error.status === 429 && refusal === undefined;
  useEffect(() => {
    if (isOver) onRetry();
  }, [isOver, onRetry]);
  return (
    <Gate title={words.unansweredTitle} lead={refusal}>
      <Entry>
        <Button onClick={onRetry} disabledBecause={error.status === 429 ? refusal : undefined}>
          {parts.tryAgain}
        </Button>
      </Entry>
    </Gate>
  );
}
