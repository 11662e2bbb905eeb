/** More names than this are counted. */
const MAX_NAMED = 3

/** "Ford", "Ford or Toyota", "Ford, Kia, Toyota or 2 more". */
export function joinNames(names: readonly string[], how: 'and' | 'or'): string {
  const rest = names.length - MAX_NAMED
  const shown = rest > 0 ? [...names.slice(0, MAX_NAMED), `${rest} more`] : names
  if (shown.length < 2) return shown.join('')
  return `${shown.slice(0, -1).join(', ')} ${how} ${shown.at(-1)}`
}
