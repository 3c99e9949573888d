// The first steps in a server where nobody has written yet, in its first channel: each performs its action, and all can
// be hidden.
import { Check, Hash, ImagePlus, type LucideIcon, MessageCircle, UserPlus } from "lucide-react";
import { useLocation } from "wouter";
import type { OwnServer } from "../../../client/servers.ts";
import { holds, permission } from "../../../protocol/permissions.ts";
import { useKept } from "../../../web/ui/browser/kept.ts";
import { Button } from "../../../web/ui/controls/button.tsx";
import { Icon } from "../../../web/ui/controls/icon.tsx";
import { paths } from "../../../web/ui/navigation/paths.ts";
import { useCopy, useServer } from "../../../web/ui/session/house.tsx";
import { useWords } from "../../../web/ui/words/words.ts";
import type { OwnChannel } from "../../channels/state.ts";
import { openCreate } from "../../channels/view/creating.ts";
import { firstChannel } from "../../channels/view/first-channel.ts";
import styles from "./first-steps.module.css";
import { openInviteDialog } from "./invite-menu.tsx";

export function FirstSteps({ channel }: { channel: OwnChannel }) {
  const server = useServer(channel.server_id);
  const [isHidden, setHidden] = useKept(`steps-hidden/${channel.server_id}`, false);
  if (!server || isHidden || firstChannel(server.channels)?.id !== channel.id) return null;
  if ([...server.channels.values()].some((each) => each.last_message_id)) return null;
  const hide = () => {
    // The button disappears with the steps; the next thing to do is to write.
    focusComposer();
    setHidden(true);
  };
  return <Steps server={server} onHide={hide} />;
}

interface Step {
  name: "stepInvite" | "stepHello" | "stepChannel" | "stepIcon";
  icon: LucideIcon;
  isDone: boolean;
  act(): void;
}

function Steps({ server, onHide }: { server: OwnServer; onHide(): void }) {
  const { invites: words } = useWords();
  const steps = useSteps(server);
  return (
    <section aria-label={words.stepsTitle} className={styles.steps}>
      <ul>
        {steps.map(({ name, icon, isDone, act }) => (
          <li key={name}>
            <button
              type="button"
              aria-label={isDone ? `${words[name]}, ${words.stepDone}` : undefined}
              className={styles.step}
              onClick={act}
            >
              <Icon of={isDone ? Check : icon} />
              <span>{words[name]}</span>
            </button>
          </li>
        ))}
      </ul>
      <Button kind="quiet" isSmall onClick={onHide}>
        {words.stepsHide}
      </Button>
    </section>
  );
}

/** Leaves out steps that the reader may not do. */
function useSteps(server: OwnServer): Step[] {
  const [, navigate] = useLocation();
  const isOwner = useCopy((copy) => copy.user.id === server.owner_id);
  const may = (bit: number) => holds({ bits: server.permissions }, bit);
  const steps: (Step & { isAllowed: boolean })[] = [
    {
      name: "stepInvite",
      icon: UserPlus,
      isAllowed: true,
      // A guest was invited, and has invited nobody.
      isDone: isOwner && server.member_count > 1,
      act: () => openInviteDialog(server),
    },
    {
      name: "stepHello",
      icon: MessageCircle,
      isAllowed: may(permission.SEND_MESSAGES),
      isDone: false,
      act: focusComposer,
    },
    {
      name: "stepChannel",
      icon: Hash,
      isAllowed: may(permission.MANAGE_CHANNELS),
      isDone: server.channels.size > 1,
      act: () => openCreate(server, null),
    },
    {
      name: "stepIcon",
      icon: ImagePlus,
      isAllowed: isOwner,
      isDone: server.icon !== null,
      act: () => navigate(paths.serverSettings(server.id, "overview")),
    },
  ];
  return steps.filter(({ isAllowed }) => isAllowed);
}

function focusComposer(): void {
  document.querySelector<HTMLTextAreaElement>("main textarea")?.focus();
}
