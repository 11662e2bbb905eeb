/**
 * Splits a path into folder and file name: `/out` and `stock.csv`. The folder is `/` at the root, and empty if the path is
 * relative to the server's initial folder.
 */
export function splitPath(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/')
  return { folder: at === 0 ? '/' : path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) }
}

/** Joins a folder and a file name. The inverse of `splitPath`. */
export function joinPath(folder: string, name: string): string {
  return folder === '' || folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`
}

/** Whether a path is a pattern: a star in the file name stands for any characters. */
export const isStarred = (path: string): boolean => path.includes('*')

/**
 * Whether a file name matches a pattern. A star can also match nothing. Names that begin with a dot are hidden: only a
 * pattern that begins with a dot matches them. The running time depends only on the two lengths.
 */
export function isMeant(name: string, pattern: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return name === pattern
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= end
}
