/** For " (copy) 9999". */
const ROOM = 12

/**
 * The name of a copy: "Winter (copy)", then "Winter (copy) 2", also of a copy. `at`: from 1 on, until one is free. `max`: the most
 * characters.
 */
export function copyName(name: string, at: number, max: number): string {
  const original = name.replace(/ \(copy\)( \d+)?$/, '')
  return `${original.slice(0, max - ROOM)} (copy)${at === 1 ? '' : ` ${at}`}`
}
