// Suggestions for the word before the caret: people, roles, channels, emoji, and those of later features.
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { holds, permission } from "../../../../protocol/permissions.ts";
import { loadEmoji } from "../../../../web/ui/emoji/emoji.ts";
import { type Emoji, foundEmoji, inTone } from "../../../../web/ui/emoji/entries.ts";
import { chosenTone } from "../../../../web/ui/emoji/used.ts";
import { useCopy, useHouse, useServer } from "../../../../web/ui/session/house.tsx";
import type { OwnChannel } from "../../../channels/state.ts";
import { inOrder } from "../../../channels/view/order.ts";
import type { Member } from "../../../members/contract.ts";
import { fitting, rankOf } from "./matching.ts";
import type { Author, Suggestion } from "./suggestion.ts";
import type { Token } from "./tokens.ts";

const suggestionsMost = 8;
/** Pause in typing, in milliseconds, after which the server is asked for members. */
const restMs = 150;
const none: readonly Suggestion[] = [];

/** Returns the matching suggestions, best first. */
export function useSuggestions(
  channel: OwnChannel,
  token: Token | undefined,
  more: readonly Suggestion[],
): readonly Suggestion[] {
  const people = usePeople(channel, token?.sign === "@" ? token.query : undefined);
  const roles = useRoles(channel, token?.sign === "@" ? token.query : undefined);
  const channels = useChannels(channel.server_id, token?.sign === "#" ? token.query : undefined);
  const emoji = useEmoji(token?.sign === ":" ? token.query : undefined);
  return useMemo(
    () => [...people, ...roles, ...channels, ...emoji, ...(token ? more : none)].slice(0, suggestionsMost),
    [people, roles, channels, emoji, token, more],
  );
}

/** Authors of the last messages here, then members who are loaded, then members whom the server finds. */
function usePeople(channel: OwnChannel, query: string | undefined): readonly Suggestion[] {
  const { members } = useHouse();
  const serverId = channel.server_id;
  const loaded = useSyncExternalStore(members.subscribe, () => members.of(serverId));
  const messages = useCopy((copy) => copy.windows.get(channel.id)?.live?.messages);
  const ownId = useCopy((copy) => copy.user.id);
  const [found, setFound] = useState<readonly Member[]>([]);
  useEffect(() => {
    if (!query || serverId === null) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      // After an error the loaded ones remain; the next letter asks again.
      members.find(serverId, query, stop.signal).then(setFound, () => {});
    }, restMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [members, serverId, query]);
  return useMemo(() => {
    if (query === undefined) return none;
    const byId = new Map<string, Author>();
    for (const { author } of messages ?? []) if (author.kind !== "webhook") byId.set(author.id, author);
    for (const user of channel.recipients ?? []) byId.set(user.id, user);
    for (const { user } of [...loaded, ...found]) byId.set(user.id, user);
    byId.delete(ownId);
    const names = ({ username, display_name }: Author) => [username, display_name];
    return fitting(byId.values(), query, names, suggestionsMost).map(ofPerson);
  }, [query, messages, channel.recipients, loaded, found, ownId]);
}

function ofPerson({ id, username, display_name, avatar }: Author): Suggestion {
  const note = username === display_name ? undefined : username;
  return {
    key: id,
    label: display_name,
    note,
    insert: `@${username}`,
    face: { id, name: display_name, avatar },
  };
}

/** Mentioning roles and @everyone needs a permission; without it the words would mention nobody. */
function useRoles(
  { server_id, permissions: bits }: OwnChannel,
  query: string | undefined,
): readonly Suggestion[] {
  const server = useServer(server_id);
  return useMemo(() => {
    if (query === undefined || !server) return none;
    if (!holds({ bits }, permission.MANAGE_MESSAGES)) return none;
    const roles = server.roles.filter((role) => !role.is_default);
    const everyone: Suggestion[] =
      rankOf(["everyone"], query) === undefined
        ? []
        : [{ key: "everyone", label: "@everyone", insert: "@everyone", note: server.name, icon: "people" }];
    const fit = fitting(roles, query, ({ name }) => [name], suggestionsMost);
    return [
      ...everyone,
      ...fit.map(
        (role): Suggestion => ({
          key: role.id,
          label: role.name,
          insert: `@${role.name}`,
          colour: role.color,
        }),
      ),
    ];
  }, [server, bits, query]);
}

function useChannels(serverId: string | null, query: string | undefined): readonly Suggestion[] {
  const channels = useServer(serverId)?.channels;
  return useMemo(() => {
    if (query === undefined || !channels) return none;
    const texts = inOrder(channels).filter(({ type }) => type === "text");
    return fitting(texts, query, ({ name }) => [name], suggestionsMost).map(({ id, name, category }) => ({
      key: id,
      label: name,
      insert: `#${name}`,
      note: category ?? undefined,
      icon: "channel",
    }));
  }, [channels, query]);
}

function useEmoji(query: string | undefined): readonly Suggestion[] {
  const [all, setAll] = useState<readonly Emoji[]>([]);
  const isWanted = query !== undefined;
  useEffect(() => {
    // If the list fails to load there are no suggestions, and the text stays as typed.
    if (isWanted) loadEmoji().then(setAll, () => {});
  }, [isWanted]);
  return useMemo(() => {
    if (query === undefined) return none;
    const tone = chosenTone();
    return foundEmoji(all, query, suggestionsMost).map((each) => ({
      key: each.code,
      label: `:${each.code}:`,
      insert: inTone(each, tone),
      note: each.name,
      emoji: inTone(each, tone),
    }));
  }, [all, query]);
}
