/**
 * Counts the pixels that differ between two pictures of the same size (RGBA), and draws into `marked`: equal pixels
 * pale, the others red. Also runs in the browser, so it uses nothing outside of itself.
 */
export function markDifferences(
  before: Uint8ClampedArray,
  after: Uint8ClampedArray,
  marked: Uint8ClampedArray,
): number {
  let differing = 0
  for (let at = 0; at < after.length; at += 4) {
    const isEqual =
      before[at] === after[at] &&
      before[at + 1] === after[at + 1] &&
      before[at + 2] === after[at + 2] &&
      before[at + 3] === after[at + 3]
    if (!isEqual) differing += 1
    const pale = 191 + ((after[at] ?? 0) + (after[at + 1] ?? 0) + (after[at + 2] ?? 0)) / 12
    marked.set(isEqual ? [pale, pale, pale, 255] : [224, 0, 48, 255], at)
  }
  return differing
}
