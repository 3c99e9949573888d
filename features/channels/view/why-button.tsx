// "What NAME can do here" on the card of a member, while one of the server's channels is open.
import { createElement } from "react";
import { useLocation } from "wouter";
import { Button } from "../../../web/ui/controls/button.tsx";
import { openOver } from "../../../web/ui/loading/opened.tsx";
import { useServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { useMember } from "../../members/view/members.ts";
import { useMayAskWhy, WhyDialog } from "./why.ts";

interface Props {
  user: User;
  serverId: string | null;
  close(): void;
}

export function WhyButton({ user, serverId, close }: Props) {
  const { channels: words } = useWords();
  const [path] = useLocation();
  const server = useServer(serverId);
  const channel = server?.channels.get(/\/channels\/([^/]+)/.exec(path)?.[1] ?? "");
  const member = useMember(serverId, user.id);
  const mayAsk = useMayAskWhy(server?.permissions ?? 0, user.id);
  const { id: userId, display_name: name } = user;
  if (!channel || !member || !mayAsk) return null;
  return (
    <Button
      onClick={() => {
        close();
        openOver((onClose) => createElement(WhyDialog, { channel, userId, name, onClose }));
      }}
    >
      {words.whatCan(name)}
    </Button>
  );
}
