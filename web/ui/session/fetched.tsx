// Data that a part of the page fetches for itself, again after an error or a new READY.
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { Button } from "../controls/button.tsx";
import { Problem } from "../controls/entry.tsx";
import { useRefusal } from "../words/refusal.ts";
import { useWords } from "../words/words.ts";
import styles from "./fetched.module.css";
import { useChat } from "./house.tsx";

export interface Fetched<T> {
  /** The last loaded value, which stays during a reload. */
  value: T | undefined;
  error: CallError | undefined;
  reload(): void;
  /**
   * Applies a change to the value, and to answers that are under way, which may be older or newer: so a change that is
   * in the value already must leave it as it is.
   */
  change(after: Change<T>): void;
}

interface Asking<T> {
  /** Waits for an answer. Returns it together with the changes made meanwhile, as one. */
  asking<A>(answer: Promise<A>): Promise<[A, Change<T>]>;
}

type Change<T> = (value: T) => T;

/** Loads again when `load` is another function: wrap it in useCallback. */
export function useFetched<T>(load: (signal: AbortSignal) => Promise<T>): Fetched<T> & Asking<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<CallError>();
  const [tries, setTries] = useState(0);
  const underWay = useRef(new Set<Change<T>[]>());
  const generation = useChat((state) => state.generation);
  const asking = useCallback<Asking<T>["asking"]>(async (answer) => {
    const changes: Change<T>[] = [];
    underWay.current.add(changes);
    try {
      return [await answer, (value) => changes.reduce((before, after) => after(before), value)];
    } finally {
      underWay.current.delete(changes);
    }
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try and another READY ask anew.
  useEffect(() => {
    const abort = new AbortController();
    asking(load(abort.signal)).then(
      ([loaded, after]) => {
        if (abort.signal.aborted) return;
        setValue(() => after(loaded));
        setError(undefined);
      },
      (thrown: unknown) => {
        if (!abort.signal.aborted) setError(CallError.from(thrown));
      },
    );
    return () => abort.abort();
  }, [asking, load, tries, generation]);
  const reload = useCallback(() => setTries((before) => before + 1), []);
  const change = useCallback((after: Change<T>) => {
    for (const changes of underWay.current) changes.push(after);
    setValue((before) => (before === undefined ? before : after(before)));
  }, []);
  return { value, error, reload, change, asking };
}

interface Props<T> {
  of: Pick<Fetched<T>, "value" | "error" | "reload">;
  children(value: T): ReactNode;
}

/** Shows a skeleton until the value is loaded, and the old value with an error above it when a reload fails. */
export function Loaded<T>({ of: { value, error, reload }, children }: Props<T>) {
  const { parts: words } = useWords();
  const sentence = useRefusal(error);
  if (value === undefined && !error) return <Skeleton />;
  return (
    <>
      {error && (
        <div role="alert" className={styles.fault}>
          <Problem>{sentence ?? words.tryAgainNow}</Problem>
          <Button isSmall onClick={reload}>
            {words.tryAgain}
          </Button>
        </div>
      )}
      {value !== undefined && children(value)}
    </>
  );
}

function Skeleton() {
  const { parts: words } = useWords();
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{words.loading}</span>
      <span />
      <span />
      <span />
    </div>
  );
}
