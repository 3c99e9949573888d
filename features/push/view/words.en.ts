// Texts about push, in English.
export const english = {
  here: "This device",
  label: "Notify me when Hearth is closed",
  hint: "By the browser's own notifications. What is in them is encrypted on the way.",
  on: "Notifications come to this device.",
  notSetUp: "This Hearth sends none: who runs it can set that up (PUSH in its settings).",
  unsupported: "This browser cannot be notified.",
  needsHttps: "Browsers allow this on safe connections (https) only.",
  wayToHttps: "Notifications while Hearth is closed need a safe connection (https).",
  needsInstalling:
    "On iPhone and iPad, first add Hearth to the home screen: Share, then “Add to Home Screen”. Open it from there, and turn this on.",
  denied:
    "The browser refuses it for this address. Allow notifications in the browser's settings for this page, then come back.",
  dismissed: "The browser was not allowed to. Turn it on again to be asked once more.",
  failed: "The browser could not subscribe. Its push service may be out of reach; try again.",
  ask: "Someone mentioned you. Be told when Hearth is closed, too?",
  askToInstall:
    "Someone mentioned you. To be told when Hearth is closed, first add it to the home screen: Share, then “Add to Home Screen”.",
  understood: "Understood",
  turnOn: "Turn on",
  notNow: "Not now",
  asking: "Notifications",
  newVersion: "A new version is ready.",
  reload: "Reload",
};
