// The page of an invite link: the server, the inviter, and the button that joins.
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { isSignedOut } from "../../../client/chat.ts";
import type { OwnServer } from "../../../client/servers.ts";
import { canKeep } from "../../../web/ui/browser/can-keep.ts";
import { frameWidth } from "../../../web/ui/browser/frame-width.ts";
import { Slow } from "../../../web/ui/loading/slow.tsx";
import { inviteCodeIn } from "../../../web/ui/navigation/invite-code.ts";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { mayBeSignedIn } from "../../../web/ui/session/belongings.ts";
import { forget } from "../../../web/ui/session/entering.ts";
import { type House, useChat } from "../../../web/ui/session/house.tsx";
import { firstChannel } from "../../channels/view/first-channel.ts";
import { getInvite } from "../calls.ts";
import { Invited } from "./invited.tsx";
import { useLookUp } from "./look-up.ts";
import { SignedOut } from "./signed-out.tsx";
import { NotFound, Unknown } from "./uninvited.tsx";

interface Props {
  code: string;
  /** Stands there until it is known who asks. */
  waiting: ReactNode;
  onOtherAccount(house: House): Promise<void>;
}

export function InvitePage({ code: given, ...props }: Props) {
  const userId = useChat(({ copy }) => copy?.user.id);
  // A newcomer needs no connection to see where the invite leads. Without storage, only the connection knows who asks.
  const [hasStorage] = useState(canKeep);
  const isOut = useChat(
    ({ copy, connection }) => isSignedOut(connection) || !(copy || mayBeSignedIn() || !hasStorage),
  );
  const code = inviteCodeIn(given);
  if (!code) return <Unknown isOut={isOut} />;
  if (isOut) return <SignedOut key={code} code={code} />;
  return userId ? <Asked key={`${code} ${userId}`} code={code} {...props} /> : props.waiting;
}

function Asked({ code, waiting, onOtherAccount }: Props) {
  const { found, error, askAgain } = useLookUp(
    useCallback((signal) => getInvite({ params: { code } }, signal), [code]),
  );
  // The next sign-in must not lead back here.
  useEffect(() => forget(paths.invite(code)), [code]);
  const serverId = found?.server.id;
  const joined = useChat(({ copy }) => copy?.servers.find(({ id }) => id === serverId));
  const isKept = useChat(({ generation }) => generation === 0);

  // A cached membership may be over: READY says whether it still holds.
  if (joined) return isKept ? waiting : <Arrival server={joined} />;
  if (found) return <Invited invite={found} onEnded={askAgain} onOtherAccount={onOtherAccount} />;
  return error ? <NotFound error={error} onRetry={askAgain} /> : <Slow />;
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
