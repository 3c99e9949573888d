// What this tab keeps as long as it is open, over a reload where the browser lets it.

const here = new Map<string, string>();

/** What the browser refuses to keep counts until the next reload. */
export function keepInTab(key: string, value: string): void {
  here.set(key, value);
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // As said.
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
    // Then it was not kept there either.
  }
}

/** The names that begin so, of all that is kept. */
export function namesInTab(prefix: string): string[] {
  const names = new Set(here.keys());
  try {
    for (let i = 0; i < sessionStorage.length; i++) names.add(sessionStorage.key(i) ?? "");
  } catch {
    // Then there are those in memory.
  }
  return [...names].filter((name) => name.startsWith(prefix));
}
