// Slots: an earlier feature leaves a place in its view, and later ones, which it cannot know, put something there.
import { type ComponentType, createElement, Fragment, type ReactNode } from "react";

interface Slot<Props> {
  readonly filledWith: ComponentType<Props>[];
}

export function slot<Props>(): Slot<Props> {
  return { filledWith: [] };
}

/** Puts a view into a place; `web/features.tsx` does, before anything is drawn. */
export function fill<Props>(place: Slot<Props>, view: ComponentType<Props>): void {
  place.filledWith.push(view);
}

/** All that stands in the place, in the order in which it was put there. */
export function filled<Props extends object>({ filledWith }: Slot<Props>, props: Props): ReactNode {
  return createElement(
    Fragment,
    null,
    ...filledWith.map((view, i) => createElement(view, { ...props, key: i })),
  );
}

/** Below the pages of settings, whichever is open: the call that one is in. */
export const alongSettings = slot<Record<never, never>>();

/** What is there whatever is shown, for as long as somebody is signed in: sounds, say. */
export const always = slot<Record<never, never>>();
