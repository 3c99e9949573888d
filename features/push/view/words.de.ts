// Texts about push, in German.
export const german = {
  here: "Dieses Gerät",
  label: "Mir Bescheid geben, wenn Hearth zu ist",
  hint: "Über die Benachrichtigungen des Browsers. Was darin steht, ist unterwegs verschlüsselt.",
  on: "Benachrichtigungen kommen auf dieses Gerät.",
  notSetUp:
    "Dieses Hearth verschickt keine: Wer es betreibt, kann das einrichten (PUSH in den Einstellungen).",
  unsupported: "Dieser Browser kann keine Benachrichtigungen empfangen.",
  needsHttps: "Browser erlauben das nur über sichere Verbindungen (https).",
  wayToHttps: "Benachrichtigungen, während Hearth zu ist, brauchen eine sichere Verbindung (https).",
  needsInstalling:
    "Auf iPhone und iPad leg Hearth zuerst auf den Home-Bildschirm: Teilen, dann „Zum Home-Bildschirm“. Öffne es von dort und schalte das hier ein.",
  denied:
    "Der Browser lehnt das für diese Adresse ab. Erlaube Benachrichtigungen in den Einstellungen des Browsers für diese Seite und komm zurück.",
  dismissed: "Der Browser durfte nicht. Schalte es noch einmal ein, dann wirst du wieder gefragt.",
  failed:
    "Der Browser konnte sich nicht anmelden. Vielleicht ist sein Push-Dienst nicht erreichbar; versuch es noch einmal.",
  ask: "Jemand hat dich erwähnt. Auch Bescheid bekommen, wenn Hearth zu ist?",
  askToInstall:
    "Jemand hat dich erwähnt. Um auch Bescheid zu bekommen, wenn Hearth zu ist, leg es zuerst auf den Home-Bildschirm: Teilen, dann „Zum Home-Bildschirm“.",
  understood: "Verstanden",
  turnOn: "Einschalten",
  notNow: "Nicht jetzt",
  asking: "Benachrichtigungen",
  newVersion: "Eine neue Version ist bereit.",
  reload: "Neu laden",
};
