// A picture of another host, which this server fetches: few at a time, as it fetches few at once for a person.
import { useEffect, useState } from "react";
import { limits } from "../../../protocol/limits.ts";

interface Props {
  url: string;
  /** Empty where the name stands beside it. */
  alt: string;
  className?: string | undefined;
  onLoad?(picture: HTMLImageElement): void;
  /** It cannot be had. */
  onFail(): void;
}

/** A picture that another one's turn kept out is asked for again. */
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

/** Where this server hands out a picture of another host. */
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
