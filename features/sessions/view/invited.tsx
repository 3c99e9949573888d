// The invite of a registration, carried along from its page or pasted: it is sent along, and its server joined with it.
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { Field } from "../../../web/ui/controls/entry.tsx";
import { inviteCodeIn } from "../../../web/ui/navigation/invite-code.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { remember, wanted } from "../../../web/ui/session/entering.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { joinByInvite, previewInvite } from "../../invites/calls.ts";

interface Invited {
  code: string | undefined;
  /** The lead that says where the new account joins; undefined without an invite that may be valid. */
  lead: string | undefined;
  /** Joins the invite's server once there is an account. Failures are shown on the invite's own page. */
  join(): Promise<void>;
  /** The input field, where registration requires an invite; undefined while one from its own page may be valid. */
  field: ReactNode;
  /** Says at the field that registration was refused for want of a valid invite. */
  refuse(): void;
}

export function useInvited(): Invited {
  const { sessions: words } = useWords();
  const [carried] = useState(() => inviteOf(wanted()));
  const [pasted, setPasted] = useState(carried ?? "");
  const [wasLeft, setLeft] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const code = inviteCodeIn(pasted);
  const { found, endedCode, look, setEnded } = useLookUp(carried);
  const isEnded = code !== undefined && code === endedCode;
  const missing = wasLeft && !code ? words.inviteMissing : undefined;
  // The field may only be there since the refusal.
  useEffect(() => {
    if (refusals > 0) input.current?.focus();
  }, [refusals]);
  const { server, inviter } = (found?.code === code && found?.preview) || {};
  return {
    code,
    lead: code && !isEnded ? words.registerToJoin(server?.name, inviter?.display_name) : undefined,
    async join() {
      if (!code) return;
      remember(paths.invite(code));
      await joinByInvite({ params: { code } }).catch(CallError.from);
    },
    field: (!carried || endedCode !== undefined) && (
      <Field
        label={words.invite}
        hint={words.inviteHint}
        ref={input}
        value={pasted}
        onChange={(event) => setPasted(event.target.value)}
        onBlur={() => {
          setLeft(true);
          if (code && !isEnded) void look(code);
        }}
        problem={missing ?? (isEnded ? words.inviteEnded : undefined)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    ),
    refuse() {
      setLeft(true);
      setEnded(code);
      setRefusals(refusals + 1);
    },
  };
}

interface Found {
  code: string;
  preview: Awaited<ReturnType<typeof previewInvite>>;
}

/** Looks invites up before the rest is filled in. If that fails otherwise, registration itself tells. */
function useLookUp(carried: string | undefined) {
  const [found, setFound] = useState<Found>();
  const [endedCode, setEnded] = useState<string>();
  async function look(code: string) {
    try {
      setFound({ code, preview: await previewInvite({ params: { code } }) });
    } catch (failure) {
      const { status } = CallError.from(failure);
      if (status === 410 || status === 404) setEnded(code);
    }
  }
  const lookAtFirst = useEffectEvent(look);
  useEffect(() => {
    if (carried) void lookAtFirst(carried);
  }, [carried]);
  return { found, endedCode, look, setEnded };
}

/** Returns the invite whose page led here. */
function inviteOf(address: string | undefined): string | undefined {
  return address?.startsWith("/invite/") ? inviteCodeIn(address) : undefined;
}
