// What lies over the page and outlives what opened it: the dialogs of menus and of keys.
import { type ReactNode, Suspense } from "react";
import { create } from "zustand";

interface Layer {
  key: number;
  draw(close: () => void): ReactNode;
}

const useLayers = create<{ layers: readonly Layer[] }>(() => ({ layers: [] }));
let lastKey = 0;

/** Draws a dialog over the page, until it calls `close`. What it is made of may be loaded only then. */
export function openOver(draw: Layer["draw"]): void {
  const key = ++lastKey;
  useLayers.setState(({ layers }) => ({ layers: [...layers, { key, draw }] }));
}

/** The place where they are drawn; the shell has it. */
export function Opened() {
  const layers = useLayers((state) => state.layers);
  return layers.map(({ key, draw }) => <Suspense key={key}>{draw(() => closeLayer(key))}</Suspense>);
}

function closeLayer(key: number): void {
  useLayers.setState(({ layers }) => ({ layers: layers.filter((layer) => layer.key !== key) }));
}
