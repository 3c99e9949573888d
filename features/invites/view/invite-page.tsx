// The page that an invite's link opens: what it leads to, who sent it, and the button that joins.
import { useEffect, useState } from "react";
import { Redirect } from "wouter";
import { CallError } from "../../../client/call.ts";
import { useChat } from "../../../web/ui/house.tsx";
import { inviteCodeIn } from "../../../web/ui/invite-code.ts";
import { getInvite } from "../calls.ts";
import { Invited } from "./invited.tsx";
import { Ended, SignedOut, Unanswered, Unknown } from "./uninvited.tsx";

type Found = Awaited<ReturnType<typeof getInvite>>;

interface Props {
  code: string;
  onOtherAccount(): Promise<void>;
}

export function InvitePage({ code: given, onOtherAccount }: Props) {
  const userId = useChat(({ copy }) => copy?.user.id);
  const isOut = useChat(({ copy, connection }) => !copy && connection.is === "ended");
  const code = inviteCodeIn(given);
  if (isOut) return <SignedOut />;
  if (!code) return <Unknown code={given} />;
  return userId ? <Asked key={`${code} ${userId}`} code={code} onOtherAccount={onOtherAccount} /> : null;
}

function Asked({ code, onOtherAccount }: Props) {
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<CallError>();
  const [tries, setTries] = useState(0);
  const serverId = found?.server.id;
  const isMember = useChat(({ copy }) => copy?.servers.some(({ id }) => id === serverId));
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks once.
  useEffect(() => {
    const asking = new AbortController();
    setError(undefined);
    getInvite({ params: { code } }, asking.signal).then(setFound, (failure) => {
      if (!asking.signal.aborted) setError(CallError.from(failure));
    });
    return () => asking.abort();
  }, [code, tries]);

  if (found && isMember) return <Redirect to={`/servers/${found.server.id}`} replace />;
  if (found)
    return <Invited invite={found} onEnded={() => setTries(tries + 1)} onOtherAccount={onOtherAccount} />;
  if (!error) return null;
  if (error.code === "invite_expired") return <Ended code={code} />;
  if (error.code === "not_found" || error.status === 400) return <Unknown code={code} />;
  return <Unanswered error={error} onRetry={() => setTries(tries + 1)} />;
}
