// The words of the frame in English.
export const english = {
  connection: "Connection",
  noConnection: "No connection.",
  waiting: (count: number) =>
    count === 1
      ? "1 message is waiting and goes out when it is back."
      : `${count} messages are waiting and go out when it is back.`,
  nextTry: (time: string) => `Next try in ${time}.`,
  trying: "Trying now.",
  ended: {
    replaced: "This page was disconnected, because Hearth is open in many other places.",
    "not understood": "The server and this page do not understand each other. Load the page again.",
  },
  connecting: "Connecting",
  connectingLead: "The server takes its time. The page opens by itself as soon as it answers.",
  notConnected: "The server cannot be reached",
  notConnectedLead: "Hearth goes on by itself as soon as there is a connection. What you wrote is kept.",
  tryNow: "Try now",
  back: "Back to channels",
  skip: "Skip to messages",
  panes: "Parts of the page",
  servers: "Servers",
  mentions: "Mentions",
  markedRead: (server: string) => `Everything in ${server} is read`,
};
