// Dragging the children of an element into another order: where one would be dropped is marked beside its neighbour.
import { type RefObject, useEffect, useEffectEvent } from "react";
import styles from "./order-drag.module.css";

/** The data type of a dragged server, to tell it from what is dragged from elsewhere. */
const kind = "application/x-hearth-server";

interface OrderDrag {
  /** The element whose children are dragged. */
  list: RefObject<HTMLElement | null>;
  /** How the children are laid out. */
  axis: "x" | "y";
  /** The ids of the children, in order. */
  ids: readonly string[];
  isOff?: boolean;
  /** Called with the place that the child has among all then, counted from 0. */
  onMove(id: string, place: number): void;
}

/** Marks the dragged child with `data-held`, and the one beside its new place with `data-drop`: "before" or "after". */
export function useOrderDrag({ list, axis, ids, isOff, onMove }: OrderDrag): void {
  const idAt = useEffectEvent((at: number) => ids[at]);
  const move = useEffectEvent(onMove);
  useEffect(() => {
    const element = list.current;
    if (!element || isOff) return;
    element.classList.add(styles[axis] ?? "");
    const drag = new Drag(element, axis, { idAt, move });
    for (const type of heard) element.addEventListener(type, drag);
    return () => {
      drag.end();
      for (const type of heard) element.removeEventListener(type, drag);
    };
  }, [list, axis, isOff]);
}

const heard = ["dragstart", "dragenter", "dragover", "dragleave", "drop", "dragend"] as const;

interface Order {
  idAt(place: number): string | undefined;
  move(id: string, place: number): void;
}

class Drag {
  readonly #list: HTMLElement;
  readonly #axis: "x" | "y";
  readonly #order: Order;
  #held: { id: string; child: HTMLElement } | undefined;
  #marked: HTMLElement | undefined;

  constructor(list: HTMLElement, axis: "x" | "y", order: Order) {
    this.#list = list;
    this.#axis = axis;
    this.#order = order;
  }

  handleEvent(event: DragEvent): void {
    if (event.type === "dragstart") this.#begin(event);
    else if (event.type === "dragenter" || event.type === "dragover") this.#over(event);
    else if (event.type === "dragleave") this.#leave(event);
    else if (event.type === "drop") this.#drop(event);
    else this.end();
  }

  end(): void {
    this.#unmark();
    this.#held?.child.removeAttribute("data-held");
    this.#held = undefined;
  }

  #begin(event: DragEvent): void {
    const child = childAt(this.#list, event.target);
    const id = child ? this.#order.idAt(indexOf(child)) : undefined;
    if (!child || id === undefined || !event.dataTransfer) return;
    event.dataTransfer.setData(kind, id);
    event.dataTransfer.effectAllowed = "copyMove";
    // For a link, the browser would show its address.
    const { left, top } = child.getBoundingClientRect();
    event.dataTransfer.setDragImage(child, event.clientX - left, event.clientY - top);
    this.#held = { id, child };
    // Not before the browser has taken its picture of the child.
    setTimeout(() => this.#held?.child.setAttribute("data-held", ""));
  }

  #over(event: DragEvent): void {
    const target = this.#targetOf(event);
    this.#unmark();
    // No mark at the present place: a drop there would change nothing.
    if (!this.#held || !target || target.place === indexOf(this.#held.child)) return;
    this.#marked = target.child;
    target.child.setAttribute("data-drop", target.side);
  }

  /** The mark stays while the pointer goes from one part of the list to another. */
  #leave({ relatedTarget }: DragEvent): void {
    if (!(relatedTarget instanceof Node && this.#list.contains(relatedTarget))) this.#unmark();
  }

  #drop(event: DragEvent): void {
    const target = this.#targetOf(event);
    if (this.#held && target) this.#order.move(this.#held.id, target.place);
    this.end();
  }

  /** Takes the event if something of this list is dragged. */
  #targetOf(event: DragEvent): { child: HTMLElement; side: Side; place: number } | undefined {
    if (!this.#held) return undefined;
    event.preventDefault();
    const child = childAt(this.#list, event.target);
    if (!child) return undefined;
    const side = sideOf(event, child, this.#held.child, this.#axis);
    return { child, side, place: placeAt(child, side, this.#held.child) };
  }

  #unmark(): void {
    this.#marked?.removeAttribute("data-drop");
    this.#marked = undefined;
  }
}

function childAt(list: HTMLElement, target: EventTarget | null): HTMLElement | undefined {
  let each = target instanceof Element ? target : null;
  while (each && each.parentElement !== list) each = each.parentElement;
  return each instanceof HTMLElement ? each : undefined;
}

function indexOf(child: Element): number {
  return child.parentElement ? [...child.parentElement.children].indexOf(child) : -1;
}

type Side = "before" | "after";

/** In the middle of a child its place is taken: behind it for what comes from before it. */
function sideOf(event: DragEvent, child: HTMLElement, held: HTMLElement, axis: "x" | "y"): Side {
  const { left, width, top, height } = child.getBoundingClientRect();
  const share = axis === "y" ? (event.clientY - top) / height : (event.clientX - left) / width;
  const along = axis === "x" && getComputedStyle(child).direction === "rtl" ? 1 - share : share;
  if (along >= 1 / 3 && along <= 2 / 3) return indexOf(held) < indexOf(child) ? "after" : "before";
  return along < 1 / 2 ? "before" : "after";
}

/** Returns the place that the held child would have on this side of another one. */
function placeAt(child: HTMLElement, side: Side, held: HTMLElement): number {
  if (child === held) return indexOf(held);
  const gap = indexOf(child) + (side === "after" ? 1 : 0);
  return gap > indexOf(held) ? gap - 1 : gap;
}
