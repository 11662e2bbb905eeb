/**
 * Counts the pixels that differ between two pictures of the same size (RGBA), and draws into `marked`: equal pixels
 * pale, the others red. A channel that differs by 1 or 2 of 255 is equal: Chromium rounds the corners of inputs in
 * drawers differently from run to run. Also runs in the browser, so it uses nothing outside of itself.
 */
export function markDifferences(
  before: Uint8ClampedArray,
  after: Uint8ClampedArray,
  marked: Uint8ClampedArray,
): number {
  let differing = 0
  for (let at = 0; at < after.length; at += 4) {
    const isEqual = [at, at + 1, at + 2, at + 3].every(
      (channel) => Math.abs((before[channel] ?? 0) - (after[channel] ?? 0)) <= 2,
    )
    if (!isEqual) differing += 1
    const pale = 191 + ((after[at] ?? 0) + (after[at + 1] ?? 0) + (after[at + 2] ?? 0)) / 12
    marked.set(isEqual ? [pale, pale, pale, 255] : [224, 0, 48, 255], at)
  }
  return differing
}
