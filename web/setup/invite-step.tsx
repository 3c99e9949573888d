// The last step: an invite link for the first people.
import { useEffect } from "react";
import { LinkField } from "../../features/instance/view/handed-out.tsx";
import { createInvite } from "../../features/invites/calls.ts";
import { usualHours } from "../../features/invites/view/usual.ts";
import { Button } from "../ui/controls/button.tsx";
import { Problem } from "../ui/controls/entry.tsx";
import { useRefusal } from "../ui/words/refusal.ts";
import { useWords } from "../ui/words/words.ts";
import { finish } from "./progress.ts";
import { useStepAct } from "./step-act.ts";
import styles from "./step-gate.module.css";
import { StepGate } from "./step-gate.tsx";

interface Props {
  server: { id: string; name: string };
  url: string | undefined;
  onInvited(url: string): void;
}

export function InviteStep({ server, url, onInvited }: Props) {
  const { setup: words, parts } = useWords();
  const { error, run } = useStepAct();
  const refusal = useRefusal(error);

  const invite = () =>
    run(async () => {
      onInvited((await createInvite({ body: { server_id: server.id, expires_hours: usualHours } })).url);
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once, and kept with the progress.
  useEffect(() => {
    if (!url) void invite();
  }, []);

  return (
    <StepGate step="invite">
      {url && <LinkField label={words.inviteLink} value={url} />}
      <div aria-live="polite">{refusal && <Problem>{refusal}</Problem>}</div>
      <div className={styles.buttons}>
        <Button kind="primary" onClick={() => finish(`/servers/${server.id}`)} autoFocus>
          {words.open(server.name)}
        </Button>
        {refusal && <Button onClick={() => void invite()}>{parts.tryAgain}</Button>}
      </div>
    </StepGate>
  );
}
