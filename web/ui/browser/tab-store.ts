// Values that last as long as the tab, in session storage where the browser allows it.

const here = new Map<string, string>();

/** Stores a value. When session storage is refused, it lasts until the next reload. */
export function keepInTab(key: string, value: string): void {
  here.set(key, value);
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // Session storage is refused: the value is in memory.
  }
}

export function keptInTab(key: string): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? here.get(key);
  } catch {
    return here.get(key);
  }
}

export function dropFromTab(key: string): void {
  here.delete(key);
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Without session storage, nothing was stored there either.
  }
}

/** Returns the stored names with this prefix. */
export function namesInTab(prefix: string): string[] {
  const names = new Set(here.keys());
  try {
    for (let i = 0; i < sessionStorage.length; i++) names.add(sessionStorage.key(i) ?? "");
  } catch {
    // Session storage is refused: only names in memory remain.
  }
  return [...names].filter((name) => name.startsWith(prefix));
}
