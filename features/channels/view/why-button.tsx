// "What NAME can do here" on the card of a member, while one of the server's channels is open.
import { Button } from "../../../web/ui/controls/button.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { User } from "../../accounts/contract.ts";
import { useAskWhy } from "./why.ts";

interface Props {
  user: User;
  serverId: string | null;
  close(): void;
}

export function WhyButton({ user, serverId, close }: Props) {
  const { channels: words } = useWords();
  const ask = useAskWhy(user, serverId);
  if (!ask) return null;
  return (
    <Button
      isSmall
      isWide
      onClick={() => {
        close();
        ask();
      }}
    >
      {words.whatCan(user.display_name)}
    </Button>
  );
}
