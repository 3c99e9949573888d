// The number on the icon of an installed app, which no browser of a test shows: the page's own `window.badge` instead.

/** For a page's beginning; 0 where there is no number. */
export const noteBadge = `(() => {
  window.badge = 0;
  navigator.setAppBadge = async (number) => { window.badge = number; };
  navigator.clearAppBadge = async () => { window.badge = 0; };
})();`;
