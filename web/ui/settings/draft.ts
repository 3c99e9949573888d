// A draft of settings: unsaved changes on top of the server's values.
import { useRef, useState } from "react";
import { CallError } from "../../../client/call.ts";
import { useHold } from "../navigation/leaving.ts";
import { fieldProblem } from "../words/field-problem.ts";

export interface Draft<T extends object> {
  /** The values that the controls show. */
  readonly values: T;
  readonly changed: ReadonlySet<keyof T>;
  readonly isSaving: boolean;
  /** Why the last attempt failed. */
  readonly error: CallError | undefined;
  set<Name extends keyof T>(name: Name, value: T[Name]): void;
  discard(): void;
  save(): Promise<void>;
  /** Returns the server's error about a field. */
  problem(name: keyof T): string | undefined;
}

/** The part of a draft that a save bar needs, independent of its fields. */
export type AnyDraft = Pick<Draft<object>, "isSaving" | "error" | "discard" | "save"> & {
  readonly changed: ReadonlySet<PropertyKey>;
};

/**
 * `send` gets only the changed fields. They count as saved once it succeeds, until the server's own values arrive: by
 * an event, or by what the caller makes of the response.
 */
export function useDraft<T extends object>(
  saved: T,
  send: (changes: Partial<T>) => Promise<unknown>,
): Draft<T> {
  const [edits, setEdits] = useState<Partial<T>>({});
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<CallError>();
  const [sent, setSent] = useState<{ over: string; values: Partial<T> }>();
  const savedText = JSON.stringify(saved);
  // Only until the values change: they may come back to what they were before the save, by another person.
  if (sent && sent.over !== savedText) setSent(undefined);
  const base: T = sent?.over === savedText ? { ...saved, ...sent.values } : saved;
  const changes = differing(base, edits);
  const changed = new Set(Object.keys(changes) as (keyof T)[]);
  const latest = useRef(edits);
  latest.current = edits;
  useHold(changed.size > 0);

  async function save() {
    if (changed.size === 0 || isSaving) return;
    setSaving(true);
    setError(undefined);
    try {
      await send(changes);
      setSent({ over: savedText, values: { ...(sent?.over === savedText && sent.values), ...changes } });
      // Values typed during the request remain changes.
      setEdits(differing({ ...base, ...changes }, latest.current));
    } catch (failure) {
      setError(CallError.from(failure));
    } finally {
      setSaving(false);
    }
  }

  return {
    values: { ...base, ...edits },
    changed,
    isSaving,
    error,
    set: (name, value) => setEdits((before) => ({ ...before, [name]: value })),
    discard() {
      setEdits({});
      setError(undefined);
    },
    save,
    problem: (name) => fieldProblem(error, String(name)),
  };
}

/** Returns the edits that differ from the saved values. Those of something that is gone, such as a role, are none. */
export function differing<T extends object>(saved: T, edits: Partial<T>): Partial<T> {
  const names = (Object.keys(edits) as (keyof T)[]).filter((name) => name in saved);
  const differ = names.filter((name) => JSON.stringify(edits[name]) !== JSON.stringify(saved[name]));
  return Object.fromEntries(differ.map((name) => [name, edits[name]])) as Partial<T>;
}
