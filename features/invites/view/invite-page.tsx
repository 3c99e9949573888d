// The page of an invite link: the server, the inviter, and the button that joins.
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { CallError } from "../../../client/call.ts";
import type { OwnServer } from "../../../client/servers.ts";
import { frameWidth } from "../../../web/ui/browser/frame-width.ts";
import { inviteCodeIn } from "../../../web/ui/navigation/invite-code.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useChat } from "../../../web/ui/session/house.tsx";
import { firstChannel } from "../../channels/view/first-channel.ts";
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
  const joined = useChat(({ copy }) => copy?.servers.find(({ id }) => id === serverId));
  const isKept = useChat(({ generation }) => generation === 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try asks once.
  useEffect(() => {
    const asking = new AbortController();
    getInvite({ params: { code } }, asking.signal).then(setFound, (failure) => {
      if (!asking.signal.aborted) setError(CallError.from(failure));
    });
    return () => asking.abort();
  }, [code, tries]);

  // Clears the previous result: a rate limit that is still shown as over would cause one more request.
  function askAgain() {
    setFound(undefined);
    setError(undefined);
    setTries(tries + 1);
  }

  // A cached membership may be over: READY says whether it still holds.
  if (joined) return isKept ? null : <Arrival server={joined} />;
  if (found) return <Invited invite={found} onEnded={askAgain} onOtherAccount={onOtherAccount} />;
  if (!error) return null;
  if (error.code === "invite_expired") return <Ended code={code} />;
  if (error.code === "not_found" || error.status === 400) return <Unknown code={code} />;
  return <Unanswered error={error} onRetry={askAgain} />;
}

/**
 * Opens the server after joining. A phone shows channels or a room: the room is what people came for, and back leads
 * from there to the channels.
 */
function Arrival({ server }: { server: OwnServer }): null {
  const [, navigate] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: one arrives once.
  useEffect(() => {
    const channel = frameWidth() === "narrow" ? firstChannel(server.channels) : undefined;
    navigate(paths.server(server.id), { replace: true });
    if (channel) navigate(paths.channel(channel), { state: { isFromHere: true } });
  }, []);
  return null;
}
