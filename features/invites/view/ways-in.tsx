// The links of an invite's page to registration and to signing in, and what else one has to know about accounts here.
import { ButtonLink } from "../../../web/ui/controls/button-link.tsx";
import { Entry } from "../../../web/ui/controls/entry.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import { Actions } from "../../instance/view/gate.tsx";
import { useInstance } from "../../instance/view/instance.ts";
import styles from "./invited.module.css";

/** Without a valid invite, registration is offered only where it needs none. */
export function WaysIn({ hasInvite = false }: { hasInvite?: boolean }) {
  const { invites: words } = useWords();
  const registration = useInstance()?.registration ?? "open";
  const canRegister = registration === "open" || (registration === "invite" && hasInvite);
  return (
    <Entry>
      <div className={styles.actions}>
        <Actions>
          {canRegister && (
            <ButtonLink href="/register" kind={hasInvite ? "primary" : "second"}>
              {words.create}
            </ButtonLink>
          )}
          <ButtonLink href="/login" kind={hasInvite && !canRegister ? "primary" : "second"}>
            {words.signIn}
          </ButtonLink>
        </Actions>
      </div>
      {registration !== "open" && !canRegister && (
        <p className={styles.hint}>{words.accountsNeed[registration]}</p>
      )}
    </Entry>
  );
}
