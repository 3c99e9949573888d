// The invite of a registration, from its link or pasted: it is sent along, and its server opens afterwards.
import { type ReactNode, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { Field } from "../../../web/ui/controls/entry.tsx";
import { inviteCodeIn } from "../../../web/ui/navigation/invite-code.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { remember, wanted } from "../../../web/ui/session/entering.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { joinByInvite } from "../../invites/calls.ts";

interface Invited {
  code: string | undefined;
  /** Joins the invite's server once there is an account. Failures are shown on the invite's own page. */
  join(): Promise<void>;
  /** The input field, where registration requires an invite. */
  field: ReactNode;
}

export function useInvited(): Invited {
  const { sessions: words } = useWords();
  const [pasted, setPasted] = useState(() => inviteOf(wanted()) ?? "");
  const [wasLeft, setLeft] = useState(false);
  const code = inviteCodeIn(pasted);
  return {
    code,
    async join() {
      if (!code) return;
      remember(paths.invite(code));
      await joinByInvite({ params: { code } }).catch(CallError.from);
    },
    field: (
      <Field
        label={words.invite}
        hint={words.inviteHint}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
        onBlur={() => setLeft(true)}
        problem={wasLeft && !code ? words.inviteMissing : undefined}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    ),
  };
}

/** Returns the invite whose page led here. */
function inviteOf(address: string | undefined): string | undefined {
  return address?.startsWith("/invite/") ? inviteCodeIn(address) : undefined;
}
