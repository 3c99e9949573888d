// Slots: extension points in the views of earlier features, filled by later ones, which they cannot know.
import { type ComponentType, createElement, Fragment, type ReactNode } from "react";

interface Slot<Props> {
  readonly filledWith: ComponentType<Props>[];
}

export function slot<Props>(): Slot<Props> {
  return { filledWith: [] };
}

/** Adds a view to a slot, before anything that has the slot is rendered: most are added by `web/features.tsx`. */
export function fill<Props>(place: Slot<Props>, view: ComponentType<Props>): void {
  place.filledWith.push(view);
}

/** Renders all views of a slot, in the order in which they were added. */
export function filled<Props extends object>({ filledWith }: Slot<Props>, props: Props): ReactNode {
  return createElement(
    Fragment,
    null,
    ...filledWith.map((view, i) => createElement(view, { ...props, key: i })),
  );
}

/** The slot below all pages of settings, for the reader's call. */
export const alongSettings = slot<Record<never, never>>();

/** The slot for parts that are mounted as long as somebody is signed in, such as sounds. */
export const always = slot<Record<never, never>>();
