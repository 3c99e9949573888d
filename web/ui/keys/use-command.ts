// Binds commands to handlers while their views are mounted.
import { useEffect, useRef } from "react";
import { tinykeys } from "tinykeys";
import { isComposing } from "../browser/input-method.ts";
import { allCommands, type Command, keysOf, onKeys } from "./keys.ts";

type Run = (event: KeyboardEvent) => void;

/** Handlers by command id; the one of the view that was mounted last applies. */
const runs = new Map<string, Run[]>();
let unbind = () => {};
onKeys(bind);

/** Runs on the command's keys while the view is mounted. */
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

/** True if a rebind is scheduled: one for several views that are mounted or unmounted together. */
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
    // All commands have modifiers or are no letters, so they also work in text fields.
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
