// The invite that the dialog shows: made when it opens, or the one that it showed before while that is still valid.
import { useEffect, useRef, useState } from "react";
import type { CallError } from "../../../client/call.ts";
import { showToast } from "../../../web/ui/loading/toast.ts";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { untilGone } from "../../../web/ui/session/until-gone.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { createInvite, deleteInvite, getInvite } from "../calls.ts";
import type { Invite } from "../contract.ts";
import { usualHours } from "./usual.ts";

/** The share of these hours that an earlier invite must have left to be shown again. */
const freshShare = 0.8;

/** The last usual invite by server: opening the dialog again would else leave one more behind each time. */
const lastMade = new Map<string, Invite>();

interface Options {
  serverId: string;
  /** True if an earlier invite will not do. */
  isNew: boolean;
  onMade?: ((invite: Invite) => void) | undefined;
  onRevoked?: ((code: string) => void) | undefined;
}

export interface Making {
  invite: Invite | undefined;
  isBusy: boolean;
  error: CallError | undefined;
  /** Makes one with other limits. It replaces the one that is shown, unless its link may be with somebody already. */
  change(hours: number, uses: number): Promise<boolean>;
  tryAgain(): void;
  /** Notes that people may have the link. */
  giveOut(): void;
}

export function useMaking({ serverId, isNew, onMade, onRevoked }: Options): Making {
  const { inviteSettings: words } = useWords();
  const act = useAct();
  const [invite, setInvite] = useState<Invite>();
  const isGivenOut = useRef(false);

  async function make(hours: number, uses: number): Promise<Invite> {
    const body = { server_id: serverId, expires_hours: hours, max_uses: uses };
    const made = await createInvite({ body });
    setInvite(made);
    onMade?.(made);
    return made;
  }

  async function begin() {
    const earlier = isNew ? undefined : await stillGood(serverId);
    isGivenOut.current = earlier !== undefined;
    if (earlier) setInvite(earlier);
    else lastMade.set(serverId, await make(usualHours, 0));
  }
  const tryAgain = () => void act.run(begin);
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once, when the dialog opens.
  useEffect(tryAgain, []);

  const change = (hours: number, uses: number) =>
    act.run(async () => {
      const former = invite;
      await make(hours, uses);
      // The link of the former one can have been copied while the new one was made.
      const wasGivenOut = isGivenOut.current;
      isGivenOut.current = false;
      if (!former || wasGivenOut) return;
      if (lastMade.get(serverId) === former) lastMade.delete(serverId);
      // The new link is there all the same.
      await untilGone(deleteInvite({ params: { code: former.code } })).then(
        () => onRevoked?.(former.code),
        () => showToast({ text: words.formerStays, isAlert: true }),
      );
    });

  const giveOut = () => {
    isGivenOut.current = true;
  };
  return { invite, isBusy: act.isBusy, error: act.error, change, tryAgain, giveOut };
}

/** Returns the earlier invite, unless it was withdrawn meanwhile, or has not long to go. */
async function stillGood(serverId: string): Promise<Invite | undefined> {
  const earlier = lastMade.get(serverId);
  if (!earlier?.expires_at) return undefined;
  const leftMs = Date.parse(earlier.expires_at) - Date.now();
  if (leftMs < usualHours * freshShare * 3_600_000) return undefined;
  return getInvite({ params: { code: earlier.code } }).then(
    () => earlier,
    () => undefined,
  );
}
