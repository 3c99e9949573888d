// Settings: the signed-in devices, and signing them out.
import { Laptop, LogOut, Smartphone, Terminal } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { is } from "../../../../protocol/event.ts";
import { announce } from "../../../../web/ui/browser/announce.ts";
import { Button } from "../../../../web/ui/controls/button.tsx";
import { Entry } from "../../../../web/ui/controls/entry.tsx";
import { Icon } from "../../../../web/ui/controls/icon.tsx";
import { useAct } from "../../../../web/ui/overlays/act.ts";
import { Confirm } from "../../../../web/ui/overlays/confirm.tsx";
import { Refused } from "../../../../web/ui/overlays/refused.tsx";
import { Loaded, useFetched } from "../../../../web/ui/session/fetched.tsx";
import { useHouse } from "../../../../web/ui/session/house.tsx";
import { untilGone } from "../../../../web/ui/session/until-gone.ts";
import { SettingsPage } from "../../../../web/ui/settings/settings-frame.tsx";
import { agoOf } from "../../../../web/ui/words/times.ts";
import { currentLanguage, useWords } from "../../../../web/ui/words/words.ts";
import type { Words } from "../../../../web/words/en.ts";
import { endSession, listSessions } from "../../calls.ts";
import { sessionsUpdated } from "../../events.ts";
import { useSignOut } from "../sign-out-item.tsx";
import styles from "./devices.module.css";
import { deviceOf } from "./user-agent.ts";

type Session = Awaited<ReturnType<typeof listSessions>>[number];

export function DevicesPage() {
  const { devices: words } = useWords();
  const { chat } = useHouse();
  const sessions = useFetched(useCallback((signal: AbortSignal) => listSessions({}, signal), []));
  const { reload, change } = sessions;
  useEffect(() => chat.listen((frame) => is(frame, sessionsUpdated) && reload()), [chat, reload]);
  const end = async (session: Session) => {
    await untilGone(endSession({ params: { id: session.id } }));
    change((all) => all.filter(({ id }) => id !== session.id));
  };
  return (
    <SettingsPage title={words.title} lead={words.lead}>
      <Loaded of={sessions}>
        {(all) => (
          <>
            <Entry label={words.here}>
              {all
                .filter(({ current }) => current)
                .map((session) => (
                  <Here key={session.id} session={session} />
                ))}
            </Entry>
            <Others sessions={all.filter(({ current }) => !current)} end={end} />
          </>
        )}
      </Loaded>
    </SettingsPage>
  );
}

function Here({ session }: { session: Session }) {
  const { sessions: words } = useWords();
  const signOut = useSignOut();
  const act = useAct();
  return (
    <div className={styles.here}>
      <About session={session} />
      <Button isSmall icon={LogOut} isBusy={act.isBusy} onClick={() => void act.run(signOut)}>
        {words.signOut}
      </Button>
    </div>
  );
}

interface OthersProps {
  sessions: readonly Session[];
  end(session: Session): Promise<void>;
}

function Others({ sessions, end }: OthersProps) {
  const { devices: words } = useWords();
  const [isAsking, setAsking] = useState(false);
  const count = new Intl.NumberFormat(currentLanguage()).format(sessions.length);
  async function endAll() {
    for (const session of sessions) await end(session);
    announce(words.allEnded);
  }
  return (
    <Entry label={words.others}>
      <div tabIndex={-1} className={styles.others}>
        {sessions.length === 0 && <p className={styles.none}>{words.none}</p>}
        <ul>
          {sessions.map((session) => (
            <Other key={session.id} session={session} end={end} />
          ))}
        </ul>
        {sessions.length > 0 && (
          <Button kind="danger" onClick={() => setAsking(true)}>
            {words.endAll(count, sessions.length === 1)}
          </Button>
        )}
      </div>
      {isAsking && (
        <Confirm
          title={words.endAllTitle}
          button={words.endAll(count, sessions.length === 1)}
          onConfirm={endAll}
          onClose={() => setAsking(false)}
        >
          <p>{words.endAllLead}</p>
        </Confirm>
      )}
    </Entry>
  );
}

function Other({ session, end }: { session: Session; end: OthersProps["end"] }) {
  const { devices: words } = useWords();
  const act = useAct();
  const name = nameOf(session, words);
  const endThis = async () => {
    if (await act.run(() => end(session))) announce(words.ended(name));
  };
  return (
    <li className={styles.row}>
      <About session={session} />
      <Button isSmall isBusy={act.isBusy} aria-label={words.endNamed(name)} onClick={() => void endThis()}>
        {words.end}
      </Button>
      <Refused by={act.error} />
    </li>
  );
}

function About({ session }: { session: Session }) {
  const { devices: words } = useWords();
  const device = deviceOf(session.user_agent);
  return (
    <div className={styles.about} title={session.user_agent}>
      <Icon of={device ? (device.isHandheld ? Smartphone : Laptop) : Terminal} />
      <div>
        <b>{nameOf(session, words)}</b>
        <p>
          {words.lastUsed(agoOf(new Date(session.last_used_at)))}
          {" · "}
          {words.signedIn(agoOf(new Date(session.created_at)))}
        </p>
      </div>
    </div>
  );
}

function nameOf({ user_agent }: Session, words: Words["devices"]): string {
  const device = deviceOf(user_agent);
  if (!device) return user_agent.slice(0, longestName) || words.unknown;
  return device.system ? words.onSystem(device.browser, device.system) : device.browser;
}

/** A client may send any name of any length. */
const longestName = 60;
