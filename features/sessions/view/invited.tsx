// The invite that somebody who registers came by, or pastes: it goes along, and opens its server afterwards.
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
  /** Joins the invite's server, once there is an account. What keeps one out is told on the invite's own page. */
  join(): Promise<void>;
  /** Asks for it, where nobody registers without. */
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

/** The invite whose page sent somebody here. */
function inviteOf(address: string | undefined): string | undefined {
  return address?.startsWith("/invite/") ? inviteCodeIn(address) : undefined;
}
