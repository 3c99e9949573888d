// Opens a channel as one of the server's roles has it.
import { Eye } from "lucide-react";
import { useLocation } from "wouter";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { paths } from "../../../../web/ui/navigation/paths.ts";
import { useViewed } from "../../../../web/ui/session/viewed.ts";
import { useWords } from "../../../../web/ui/words/words.ts";
import type { PageProps } from "./permissions-page.tsx";

export function ViewAsButton({ server: { roles }, channel }: PageProps) {
  const { channels: words } = useWords();
  const [, navigate] = useLocation();
  const role = roles.find(({ is_default }) => !is_default) ?? roles[0];
  function open() {
    if (role) useViewed.setState({ channelId: channel.id, roleId: role.id });
    navigate(paths.channel(channel));
  }
  return (
    <Button isSmall icon={Eye} onClick={open}>
      {words.viewAs}
    </Button>
  );
}
