// Lets React remove and change nodes that something else has moved: a browser that translates puts elements in the
// place of texts, and extensions wrap words. Without this, the removal throws and the new words stay unseen. In force
// once it is loaded.

/** By a node that was taken out of the page: the nodes that took its place. */
const successors = new WeakMap<Node, readonly Node[]>();
/** All nodes that took the place of another. */
const replacements = new WeakSet<Node>();
const { insertBefore, removeChild } = Node.prototype;
const nodeValue = Object.getOwnPropertyDescriptor(Node.prototype, "nodeValue") as PropertyDescriptor;
const observer = new MutationObserver(note);

tolerateMovedNodes();

function tolerateMovedNodes(): void {
  observer.observe(document.body, { childList: true, subtree: true });
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    dropSplitOff(child);
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    for (const node of standing(child)) removeWithin(this, node);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, child: T, before: Node | null): T {
    const place = before && before.parentNode !== this ? placeIn(this, standing(before)[0]) : before;
    return insertBefore.call(this, child, place) as T;
  };
  Object.defineProperty(Text.prototype, "nodeValue", {
    ...nodeValue,
    set(this: Text, value: string) {
      nodeValue.set?.call(this, value);
      const [first, ...others] = standing(this);
      if (first !== this) (first as ChildNode | undefined)?.replaceWith(this);
      for (const node of others) (node as ChildNode).remove();
      dropSplitOff(this);
    },
  });
}

/** Nodes are replaced in one step, or the new one is inserted beside the old one, which is then removed. */
function note(records: readonly MutationRecord[]): void {
  const added = new Set<Node | null>();
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    for (const node of addedNodes) {
      added.add(node);
      successors.delete(node);
    }
    const beside = [previousSibling, nextSibling].find((node) => added.has(node));
    const nodes = addedNodes.length > 0 ? [...addedNodes] : beside ? [beside] : [];
    for (const node of removedNodes) {
      if (nodes.length === 0 || !isNeeded(node)) continue;
      successors.set(node, nodes);
      for (const each of nodes) replacements.add(each);
    }
  }
}

/** Returns the node itself, or what stands in its place. */
function standing(node: Node): Node[] {
  note(observer.takeRecords());
  return node.parentNode ? [node] : (successors.get(node) ?? []).flatMap(standing);
}

/** Returns the child of `parent` that is or contains the node. */
function placeIn(parent: Node, node: Node | null | undefined): Node | null {
  if (!node || node.parentNode === parent) return node ?? null;
  return placeIn(parent, node.parentNode);
}

/** Removes the node, and the wrappers within `parent` that it leaves empty. */
function removeWithin(parent: Node, node: Node): void {
  if (!parent.contains(node)) return;
  const wrapper = node.parentNode as Node;
  removeChild.call(wrapper, node);
  if (wrapper !== parent && !wrapper.hasChildNodes()) removeWithin(parent, wrapper);
}

/** Removes what was split off the end of one of React's texts: the words that an extension marks, and the rest. */
function dropSplitOff(text: Node): void {
  if (!(text instanceof Text) || !isNeeded(text)) return;
  for (let next = text.nextSibling; next && !isNeeded(next); next = text.nextSibling) next.remove();
}

/** True if React may change the node, on which it then keeps its own object, or if it took the place of such a node. */
function isNeeded(node: Node): boolean {
  return replacements.has(node) || Object.keys(node).some((key) => key.startsWith("__react"));
}
