// The page of an invite for people who are not signed in: it shows where the invite leads before anything is filled in.
import { useCallback, useEffect } from "react";
import { Slow } from "../../../web/ui/loading/slow.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { forget, remember } from "../../../web/ui/session/entering.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import { previewInvite } from "../calls.ts";
import { InviteSheet } from "./invite-sheet.tsx";
import { useLookUp } from "./look-up.ts";
import { NotFound } from "./uninvited.tsx";
import { WaysIn } from "./ways-in.tsx";

type Preview = Awaited<ReturnType<typeof previewInvite>>;

export function SignedOut({ code }: { code: string }) {
  const { found, error, askAgain } = useLookUp(
    useCallback((signal) => previewInvite({ params: { code } }, signal), [code]),
  );
  // Registration takes the code from there. A dead invite must not come up again after signing in.
  useEffect(() => {
    if (found) remember(paths.invite(code));
    else if (error && !error.passes) forget(paths.invite(code));
  }, [code, found, error]);
  if (found) return <Shown preview={found} />;
  return error ? <NotFound error={error} isOut onRetry={askAgain} /> : <Slow />;
}

function Shown({ preview: { server, inviter, expires_at } }: { preview: Preview }) {
  const { invites: words } = useWords();
  return (
    <InviteSheet
      server={server}
      lead={`${words.invited} ${words.members(server.member_count)}`}
      inviter={inviter}
      expiresAt={expires_at}
    >
      <WaysIn hasInvite />
    </InviteSheet>
  );
}
