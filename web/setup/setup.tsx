// The first run of an instance: its owner, its name and registration, a first server, and an invite link.
import { useState } from "react";
import { Button } from "../ui/controls/button.tsx";
import { useWords } from "../ui/words/words.ts";
import { HouseStep } from "./house-step.tsx";
import { InviteStep } from "./invite-step.tsx";
import { OwnerStep } from "./owner-step.tsx";
import { finish, keepProgress, type Progress, progress } from "./progress.ts";
import { ServerStep } from "./server-step.tsx";

export default function Setup() {
  const [reached, setReached] = useState(progress);
  const goTo = (next: Progress) => {
    keepProgress(next);
    setReached(next);
  };
  if (!reached) return <OwnerStep onOwned={() => goTo({ step: "house" })} />;
  const { step, server } = reached;
  const foot = <Skip to={server && `/servers/${server.id}`} />;
  if (step === "house") return <HouseStep foot={foot} onDone={() => goTo({ ...reached, step: "server" })} />;
  if (step === "server" || !server)
    return (
      <ServerStep
        foot={foot}
        onBack={() => goTo({ ...reached, step: "house" })}
        onMade={(made) => goTo({ step: "invite", server: made })}
      />
    );
  return (
    <InviteStep
      server={server}
      url={reached.inviteUrl}
      onInvited={(inviteUrl) => goTo({ ...reached, inviteUrl })}
    />
  );
}

function Skip({ to }: { to: string | undefined }) {
  const { setup: words } = useWords();
  return (
    <Button kind="quiet" isSmall onClick={() => finish(to)}>
      {words.skip}
    </Button>
  );
}
