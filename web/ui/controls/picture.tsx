// A picture of another host, fetched by this server: few at a time, because it limits concurrent fetches per person.
import { useEffect, useState } from "react";
import { limits } from "../../../protocol/limits.ts";

interface Props {
  url: string;
  /** The alternative text; empty when the name is beside the picture. */
  alt: string;
  className?: string | undefined;
  onLoad?(picture: HTMLImageElement): void;
  /** Called when the picture cannot be loaded. */
  onFail(): void;
}

/** The most tries: a picture may be refused because others use up the limit of concurrent fetches. */
const mostTries = 2;

export function Picture({ url, alt, className, onLoad, onFail }: Props) {
  const [turn, setTurn] = useState<Turn>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try waits for a turn of its own.
  useEffect(() => {
    const waiting = new Turn(setTurn);
    return () => waiting.end();
  }, [url, tries]);
  if (!turn) return null;
  const failed = () => {
    turn.end();
    if (tries + 1 < mostTries) setTries(tries + 1);
    else onFail();
  };
  return (
    <img
      key={tries}
      src={pictureAddress(url)}
      alt={alt}
      className={className}
      onLoad={(event) => {
        turn.end();
        onLoad?.(event.currentTarget);
      }}
      onError={failed}
    />
  );
}

/** Returns the path at which this server serves a picture of another host. */
export function pictureAddress(url: string): string {
  return `/api/v1/pictures?url=${encodeURIComponent(url)}`;
}

class Turn {
  static readonly #under = new Set<Turn>();
  static #waiting: Turn[] = [];
  readonly #onTurn: (turn: Turn) => void;

  constructor(onTurn: (turn: Turn) => void) {
    this.#onTurn = onTurn;
    Turn.#waiting.push(this);
    Turn.#next();
  }

  end(): void {
    Turn.#under.delete(this);
    Turn.#waiting = Turn.#waiting.filter((each) => each !== this);
    Turn.#next();
  }

  static #next(): void {
    while (Turn.#under.size < limits.pictures_at_once_max) {
      const next = Turn.#waiting.shift();
      if (!next) return;
      Turn.#under.add(next);
      next.#onTurn(next);
    }
  }
}
