// A picture of another host, fetched by this server: few at a time, because it limits concurrent fetches per person. A
// picture that people uploaded to this server is loaded from its own address.
import { useEffect, useMemo, useState } from "react";
import { limits } from "../../../protocol/limits.ts";
import { ownPicture } from "../../../protocol/own-picture.ts";

interface Props {
  url: string;
  /** The alternative text; empty when the name is beside the picture. */
  alt: string;
  /** The side at which it is shown, in pixels of the page; an own picture has three sizes. */
  size?: number;
  className?: string | undefined;
  onLoad?(picture: HTMLImageElement): void;
  /** Called when the picture cannot be loaded; it is then taken away, which ends its turn. */
  onFail(): void;
}

/** Paths, as `pictureAddress` returns them, of pictures that have loaded. */
export const loaded = new Set<string>();

/** The waits before another try, in milliseconds: this server may have refused because of too many fetches at once. */
const waits = [1000, 3000];

export function Picture({ url, alt, size, className, onLoad, onFail }: Props) {
  const isOwn = ownPicture.test(url);
  const path = pictureAddress(url, size);
  const [isShown, setShown] = useState(isOwn);
  const turn = useMemo<Turn>(() => ({ path, failures: 0, begin: () => setShown(true) }), [path]);
  useEffect(() => {
    if (!isOwn) queue(turn);
    return () => end(turn);
  }, [turn, isOwn]);
  if (!isShown) return null;
  return (
    <img
      // Another Hearth has pictures at such addresses, too.
      src={turn.failures && isOwn && new URL(url).host !== location.host ? fetchedAddress(url) : path}
      alt={alt}
      className={className}
      onLoad={(event) => {
        loaded.add(path);
        end(turn);
        onLoad?.(event.currentTarget);
      }}
      onError={() => {
        setShown(false);
        if (!rest(turn)) onFail();
      }}
    />
  );
}

/** Returns the path at which this server has a picture: an own one, or one of another host. */
export function pictureAddress(url: string, size = 128): string {
  const [, name] = ownPicture.exec(url) ?? [];
  const pixels = size * devicePixelRatio;
  if (name) return `/avatars/${name}${pixels <= 64 ? "-64" : pixels <= 256 ? "" : "-512"}.webp`;
  return fetchedAddress(url);
}

function fetchedAddress(url: string): string {
  return `/api/v1/pictures?url=${encodeURIComponent(url)}`;
}

interface Turn {
  path: string;
  /** The tries that failed. */
  failures: number;
  /** Undefined while it waits for a place. */
  state?: "loads" | "rests" | undefined;
  timer?: ReturnType<typeof setTimeout>;
  begin(): void;
}

/** Elements that load their pictures, rest before another try or wait, in the order in which they came. */
const turns = new Set<Turn>();

/** Begins as many as the limit allows: one at a time for a path, unless the browser has its picture. */
function beginTurns(): void {
  let loading = [...turns].filter(({ state }) => state === "loads").length;
  const before = new Set<string>();
  for (const turn of turns) {
    if (loading >= limits.pictures_at_once_max) return;
    const isBehind = before.has(turn.path) && !loaded.has(turn.path);
    before.add(turn.path);
    if (turn.state || isBehind) continue;
    turn.state = "loads";
    loading++;
    turn.begin();
  }
}

function queue(turn: Turn): void {
  turn.state = undefined;
  turns.add(turn);
  beginTurns();
}

/** Lets others load before another try. Returns false after the last one. */
function rest(turn: Turn): boolean {
  const wait = waits[turn.failures++];
  if (wait === undefined) return false;
  turns.add(turn);
  turn.state = "rests";
  turn.timer = setTimeout(() => queue(turn), wait);
  beginTurns();
  return true;
}

function end(turn: Turn): void {
  clearTimeout(turn.timer);
  turns.delete(turn);
  beginTurns();
}
