// The invite of a registration, from its link or pasted: it is sent along, and its server opens afterwards.
import { type ReactNode, useRef, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { Field } from "../../../web/ui/controls/entry.tsx";
import { inviteCodeIn } from "../../../web/ui/navigation/invite-code.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { remember, wanted } from "../../../web/ui/session/entering.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { joinByInvite, previewInvite } from "../../invites/calls.ts";

interface Invited {
  code: string | undefined;
  /** Joins the invite's server once there is an account. Failures are shown on the invite's own page. */
  join(): Promise<void>;
  /** The input field, where registration requires an invite. */
  field: ReactNode;
  /** Says at the field that registration was refused for want of a valid invite. */
  refuse(): void;
}

export function useInvited(): Invited {
  const { sessions: words } = useWords();
  const [pasted, setPasted] = useState(() => inviteOf(wanted()) ?? "");
  const [wasLeft, setLeft] = useState(false);
  const [endedCode, setEndedCode] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const code = inviteCodeIn(pasted);
  const missing = wasLeft && !code ? words.inviteMissing : undefined;
  // Looked up before the rest is filled in. If that fails otherwise, registration itself tells.
  async function leave() {
    setLeft(true);
    if (!code || code === endedCode) return;
    const error = await previewInvite({ params: { code } }).then(() => undefined, CallError.from);
    if (error?.status === 410 || error?.status === 404) setEndedCode(code);
  }
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
        ref={input}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
        onBlur={() => void leave()}
        problem={missing ?? (code && code === endedCode ? words.inviteEnded : undefined)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    ),
    refuse() {
      setLeft(true);
      setEndedCode(code);
      input.current?.focus();
    },
  };
}

/** Returns the invite whose page led here. */
function inviteOf(address: string | undefined): string | undefined {
  return address?.startsWith("/invite/") ? inviteCodeIn(address) : undefined;
}
