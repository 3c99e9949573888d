// An invite's page, with what it leaves to the shell: the wait for a connection, and signing out for another account.
import { InvitePage } from "../../features/invites/view/invite-page.tsx";
import { leave } from "../../features/sessions/view/sign-out-item.tsx";
import { Opened } from "../ui/loading/opened.tsx";
import { paths } from "../ui/navigation/paths.ts";
import { Waiting } from "./waiting.tsx";

export function Invite({ code }: { code: string }) {
  return (
    <>
      <InvitePage
        code={code}
        waiting={<Waiting />}
        onOtherAccount={(house) => leave(house, paths.invite(code))}
      />
      <Opened />
    </>
  );
}
