// The permissions in a channel's settings: what it allows or denies to roles and members.
import { useMemo, useState } from "react";
import { CallError } from "../../../../client/call.ts";
import type { OwnServer } from "../../../../client/servers.ts";
import type { Override } from "../../../../protocol/overrides.ts";
import { Entry, Problem } from "../../../../web/ui/controls/entry.tsx";
import { useCopy } from "../../../../web/ui/session/house.tsx";
import { type Draft, useDraft } from "../../../../web/ui/settings/draft.ts";
import { SettingsPage } from "../../../../web/ui/settings/settings-frame.tsx";
import { useWords } from "../../../../web/ui/words/words.ts";
import { useHolders } from "../../../members/view/settings-list.ts";
import { roleHolder } from "../../../roles/state.ts";
import { deleteOverride, setOverride } from "../../calls.ts";
import type { OwnChannel } from "../../state.ts";
import { signed } from "../signed.ts";
import { AddTarget } from "./add-target.tsx";
import { CopyOverrides } from "./copy-overrides.tsx";
import { Rights } from "./rights.tsx";
import { useMayChange } from "./standing.ts";
import { TargetList } from "./target-list.tsx";
import {
  changedOverrides,
  everyRight,
  keyOf,
  locksOut,
  overridesWith,
  type Setting,
  type Settings,
  settingsOf,
  type Target,
} from "./targets.ts";
import { ViewAsButton } from "./view-as-button.tsx";

export interface PageProps {
  server: OwnServer;
  channel: OwnChannel;
}

export type OverridesDraft = Draft<Record<string, Setting>>;

const none: readonly Override[] = [];

export function PermissionsPage({ server, channel }: PageProps) {
  const { channelSettings: words } = useWords();
  const { overrides = none } = channel;
  const everyone = server.roles.find(({ is_default }) => is_default);
  const [added, setAdded] = useState<readonly Target[]>([]);
  const targets = useTargets(server, overrides, added);
  const [chosenId, setChosenId] = useState(everyone?.id);
  const chosen = targets.find(({ id }) => id === chosenId) ?? targets[0];
  const holders = useHolders(server.id, 1);
  const { draft, isLockedOut } = useOverridesDraft({ server, channel }, targets);
  /** Keeps those that can have unsaved changes in the list, also when their overrides go. */
  function keep(some: readonly Target[]) {
    setAdded((before) => [...before, ...some.filter(({ id }) => !before.some((each) => each.id === id))]);
  }
  function choose(target: Target) {
    keep([target]);
    setChosenId(target.id);
  }
  const mayChange = useMayChange(server, channel);
  /** Leaves out what the reader may not change: saving would be refused in the middle. */
  function copy(others: readonly Target[], settings: Settings) {
    const rightsOf = (target: Target) => everyRight.filter((right) => mayChange(target, right));
    const changed = [...targets, ...others].filter((target) => rightsOf(target).length > 0);
    keep(changed);
    for (const target of changed)
      for (const key of rightsOf(target).map((right) => keyOf(target.id, right))) {
        const setting = settings[key];
        if (setting) draft.set(key, setting);
      }
  }
  return (
    <SettingsPage
      title={words.permissions}
      lead={words.onlyHere(signed(channel))}
      beside={<ViewAsButton server={server} channel={channel} />}
      draft={draft}
    >
      <TargetList
        server={server}
        channel={channel}
        targets={targets}
        settings={draft.values}
        chosenId={chosen?.id}
        onChoose={choose}
      >
        <AddTarget server={server} targets={targets} onAdd={choose} />
        <CopyOverrides server={server} channel={channel} targets={targets} onCopy={copy} />
      </TargetList>
      {isLockedOut && (
        <Entry>
          <div role="alert">
            <Problem>{words.lockedOut}</Problem>
          </div>
        </Entry>
      )}
      {chosen && (
        <Rights
          key={chosen.id}
          server={server}
          channel={channel}
          target={chosen}
          holders={holders}
          overrides={overridesWith(targets, overrides, draft.values)}
          draft={draft}
        />
      )}
    </SettingsPage>
  );
}

/** @everyone, then whom there is an override for, then those who were added here, without roles that were deleted. */
function useTargets(
  { roles }: OwnServer,
  overrides: readonly Override[],
  added: readonly Target[],
): readonly Target[] {
  return useMemo(() => {
    const targets = new Map<string, Target>();
    const isThere = ({ id, kind }: Target) => kind === "member" || roles.some((role) => role.id === id);
    const everyone = roles.flatMap(({ id, is_default }) => (is_default ? { id, kind: "role" as const } : []));
    for (const { id, kind } of [...everyone, ...overrides, ...added.filter(isThere)])
      targets.set(id, { id, kind });
    return [...targets.values()];
  }, [roles, overrides, added]);
}

/** A change that would keep its maker out is refused here, before anything is sent. */
function useOverridesDraft({ server, channel }: PageProps, targets: readonly Target[]) {
  const { channelSettings: words } = useWords();
  const ownId = useCopy(({ user }) => user.id);
  const { overrides = none } = channel;
  const saved = useMemo(() => settingsOf(targets, overrides), [targets, overrides]);
  const reader = roleHolder(ownId, server, server.role_ids);
  const after = (settings: Settings) => overridesWith(targets, overrides, settings);
  async function send(changes: Settings) {
    const wanted = after(changes);
    if (locksOut(reader, wanted)) throw new CallError(409, { code: "conflict", error: words.lockedOut });
    for (const { id, ...body } of changedOverrides(overrides, wanted)) {
      const params = { id: channel.id, roleOrUserID: id };
      // The override of somebody who has left can only be deleted.
      if ((body.allow | body.deny) === 0) await deleteOverride({ params });
      else await setOverride({ params, body });
    }
  }
  const draft = useDraft(saved, send);
  return { draft, isLockedOut: draft.changed.size > 0 && locksOut(reader, after(draft.values)) };
}
