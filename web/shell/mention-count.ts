// How often somebody calls the reader, for the ways to the mentions.
import { useCopy } from "../ui/house.tsx";

export function useMentionCount(): number {
  return useCopy((copy) => {
    let sum = 0;
    for (const { mention_count } of copy.readStates.values()) sum += mention_count;
    return sum;
  });
}
