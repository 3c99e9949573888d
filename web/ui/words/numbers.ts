// Number formatting for the words of a catalogue.

export function numberIn(language: string): (value: number) => string {
  const format = new Intl.NumberFormat(language);
  return (value) => format.format(value);
}
