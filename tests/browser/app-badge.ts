// The number on an installed app's icon, which test browsers do not show: the page's `window.badge` has it instead.

/** An init script; the number is 0 while there is none. */
export const noteBadge = `(() => {
  window.badge = 0;
  navigator.setAppBadge = async (number) => { window.badge = number; };
  navigator.clearAppBadge = async () => { window.badge = 0; };
})();`;
