// Overlays that outlive their openers: the dialogs of menus and of keyboard shortcuts.
import type { ReactNode } from "react";
import { create } from "zustand";
import { holdAgain } from "../browser/held-keys.ts";
import { isNotLoaded, Region } from "../controls/region.tsx";
import { useWords } from "../words/words.ts";
import { tellNotLoaded } from "./not-loaded.ts";
import { showToast } from "./toast.ts";

interface Layer {
  key: number;
  name: string | undefined;
  draw(close: () => void): ReactNode;
}

const useLayers = create<{ layers: readonly Layer[] }>(() => ({ layers: [] }));
let lastKey = 0;

/**
 * Shows a dialog over the page until it calls `close`. Its code may be loaded only then; with a name, it is opened
 * only once at a time.
 */
export function openOver(draw: Layer["draw"], name?: string): void {
  const { layers } = useLayers.getState();
  holdAgain();
  if (name !== undefined && layers.some((layer) => layer.name === name)) return;
  useLayers.setState({ layers: [...layers, { key: ++lastKey, name, draw }] });
}

/** Renders the open dialogs; mounted by the shell. */
export function Opened() {
  const { parts: words } = useWords();
  const layers = useLayers((state) => state.layers);
  const onFault = (key: number, fault: unknown) => {
    closeLayer(key);
    if (isNotLoaded(fault)) tellNotLoaded();
    else showToast({ text: words.fault, isAlert: true });
  };
  return layers.map(({ key, draw }) => (
    <Region key={key} onFault={(fault) => onFault(key, fault)}>
      {draw(() => closeLayer(key))}
    </Region>
  ));
}

function closeLayer(key: number): void {
  useLayers.setState(({ layers }) => ({ layers: layers.filter((layer) => layer.key !== key) }));
}
