// Commands at work: what a key does while the view is mounted that has it.
import { useEffect, useRef } from "react";
import { tinykeys } from "tinykeys";
import { isComposing } from "../browser/input-method.ts";
import { allCommands, type Command, keysOf, onKeys } from "./keys.ts";

type Run = (event: KeyboardEvent) => void;

/** By command: what it does now. The view that was mounted last has it. */
const runs = new Map<string, Run[]>();
let unbind = () => {};
onKeys(bind);

/** Runs at the command's keys, while the view is mounted. */
export function useCommand({ id }: Command, run: Run): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const mine: Run = (event) => latest.current(event);
    runs.set(id, [...(runs.get(id) ?? []), mine]);
    bind();
    return () => {
      runs.set(
        id,
        (runs.get(id) ?? []).filter((each) => each !== mine),
      );
      bind();
    };
  }, [id]);
}

/** Soon, once: views come and go several at a time. */
let isDue = false;

function bind(): void {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    unbind();
    const bindings: Record<string, Run> = {};
    for (const each of allCommands().values()) {
      const run = runs.get(each.id)?.at(-1);
      if (run) bindings[keysOf(each)] = (event) => runUnlessElsewhere(each, run, event);
    }
    // All of them have modifiers, or are no letters: they do what they do while one writes, too.
    unbind = tinykeys(window, bindings, { ignore: () => false });
  });
}

function runUnlessElsewhere({ isEverywhere }: Command, run: Run, event: KeyboardEvent): void {
  if (isComposing(event) || event.defaultPrevented) return;
  const isOverlaid = event.target instanceof Element && event.target.closest("[role=dialog], [role=menu]");
  if (isOverlaid && !isEverywhere) return;
  event.preventDefault();
  run(event);
}
