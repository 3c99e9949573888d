// The dialog with the level and mute of a server or channel, opened from its menu and from the settings.
import { BellOff } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "../../../web/ui/controls/button.tsx";
import { RadioGroup } from "../../../web/ui/controls/radio-group.tsx";
import { useAct } from "../../../web/ui/overlays/act.ts";
import { Dialog } from "../../../web/ui/overlays/dialog.tsx";
import { Refused } from "../../../web/ui/overlays/refused.tsx";
import { useCopy } from "../../../web/ui/session/house.tsx";
import { agoOf } from "../../../web/ui/words/times.ts";
import { useWords } from "../../../web/ui/words/words.ts";
import type { Level } from "../contract.ts";
import { endOf, levels, mutings, ofServer, untilUnmuted, type Wanted } from "./levels.ts";
import styles from "./notifications.module.css";
import { nameOf, type Place, setWanted, useServerOf, useWanted } from "./place.ts";
import { useMutedNow, useServerMuted } from "./use-muted.ts";

export function NotificationDialog({ place, onClose }: { place: Place; onClose(): void }) {
  const { notifications: words } = useWords();
  const wanted = useWanted(place);
  const act = useAct();
  const set = useSetting(place, wanted);
  const change = (part: Partial<Wanted>) => void act.run(() => set(part));
  return (
    <Dialog title={words.dialogTitle(nameOf(place))} onClose={onClose}>
      <div className={styles.dialog}>
        <LevelChoice place={place} wanted={wanted} change={change} />
        <Muting place={place} wanted={wanted} change={change} isBusy={act.isBusy} />
        <Refused by={act.error} />
        <div className={styles.buttons}>
          <Button kind="primary" onClick={onClose}>
            {words.done}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/**
 * Returns a function that sets the level or the mute and keeps the other one as last chosen: both are sent together,
 * and a recent choice may not have come back yet. Requests are sent one after the other, so that the last one wins.
 */
function useSetting(place: Place, wanted: Wanted): (part: Partial<Wanted>) => Promise<void> {
  const chosen = useRef<Partial<Wanted>>({});
  const before = useRef<Promise<unknown>>(undefined);
  const now = useRef(wanted);
  useEffect(() => {
    now.current = wanted;
    const { level, mutedUntil } = chosen.current;
    if (level === wanted.level) delete chosen.current.level;
    if (mutedUntil === wanted.mutedUntil) delete chosen.current.mutedUntil;
  }, [wanted]);
  return async (part) => {
    Object.assign(chosen.current, part);
    const work = (before.current ?? Promise.resolve()).then(() =>
      setWanted(place, { ...now.current, ...chosen.current }),
    );
    before.current = work.catch(() => {
      // A rejected choice is not sent again together with the next one.
      chosen.current = {};
    });
    await work;
  };
}

interface PartProps {
  place: Place;
  wanted: Wanted;
  change(part: Partial<Wanted>): void;
}

function LevelChoice({ place, wanted, change }: PartProps) {
  const { notifications: words } = useWords();
  const server = useServerOf(place);
  const inherited = useCopy((copy) => ofServer(copy.notificationSettings, server?.id ?? "").level);
  const own = levels.map((value) => ({ value, label: words.levels[value], hint: words.levelHints[value] }));
  const asServer = { value: "server" as const, label: words.asServer(words.levels[inherited]) };
  return (
    <RadioGroup<Level | "server">
      as="list"
      label={words.level}
      value={wanted.level ?? (server ? "server" : "all")}
      options={server ? [asServer, ...own] : own}
      onChange={(level) => change({ level: level === "server" ? null : level })}
    />
  );
}

function Muting({ place, wanted, change, isBusy }: PartProps & { isBusy: boolean }) {
  const { notifications: words } = useWords();
  const server = useServerOf(place);
  const isServerMuted = useServerMuted(server?.id ?? "");
  const isMuted = useMutedNow(wanted.mutedUntil);
  return (
    <section className={styles.muting} aria-label={words.mute}>
      {isServerMuted && server && <p className={styles.hint}>{words.serverMuted(server.name)}</p>}
      {isMuted ? (
        <div className={styles.muted}>
          <p>
            <MutedSince until={wanted.mutedUntil} />
          </p>
          <Button isBusy={isBusy} onClick={() => change({ mutedUntil: null })}>
            {words.unmute}
          </Button>
        </div>
      ) : (
        <>
          <h3>{words.mute}</h3>
          <p className={styles.hint}>{words.muteHint}</p>
          <div className={styles.times}>
            {mutings.map((muting) => (
              <Button
                key={muting}
                isSmall
                icon={BellOff}
                onClick={() => change({ mutedUntil: endOf(muting, new Date()) })}
              >
                {words.muteFor[muting]}
              </Button>
            ))}
          </div>
        </>
      )}
    </section>
  );
}

/** "Muted until tomorrow, 08:00", or "Muted" without a time limit. */
export function MutedSince({ until }: { until: string | null }) {
  const { notifications: words } = useWords();
  if (until === null || until === untilUnmuted) return words.muted;
  return words.mutedUntil(agoOf(new Date(until)));
}
