// Replaces the parts of an accessibility tree that differ between runs: times, days, ids, links, and people's numbers.

export function steady(tree: string): string {
  return tree
    .replace(/\d{2}:\d{2}/g, "00:00")
    .replace(/http:\/\/[\d.]+:\d+\/invite\/[\w-]+/g, "LINK")
    .replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, "ID")
    .replace(/(alice|bob)_?\d+/g, "$1")
    .replace(/Here since \d+ \w+ \d{4}/g, "Here since DAY")
    .replace(/, \w+, \d+ \w+ \d{4} at/g, ", DAY at")
    .replace(/separator "\w+ \d+ \w+ \d{4}"/g, 'separator "DAY"');
}
