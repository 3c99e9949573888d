// Whether this page can use the machine's devices: browsers offer microphones and screens to https and localhost only.

/** Without microphones one can only listen. */
export function hasMicrophones(): boolean {
  return "mediaDevices" in navigator;
}

/** Phones cannot share their screen, at any address. */
export function canShareScreen(): boolean {
  return hasMicrophones() && "getDisplayMedia" in navigator.mediaDevices;
}
