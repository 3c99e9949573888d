// What a page may use of this machine for a call: browsers keep microphones and screens for pages of https and localhost.

/** Without them one hears the others, and is heard by nobody. */
export function hasMicrophones(): boolean {
  return "mediaDevices" in navigator;
}

/** Phones share no screen, whatever the address. */
export function canShareScreen(): boolean {
  return hasMicrophones() && "getDisplayMedia" in navigator.mediaDevices;
}
