/**
 * The folder of a path and the name in it: `/out` and `stock.csv`. The folder is `/` at the top, and empty where the path
 * begins at the place that a server opens with.
 */
export function splitPath(path: string): { folder: string; name: string } {
  const at = path.lastIndexOf('/')
  return { folder: at === 0 ? '/' : path.slice(0, Math.max(at, 0)), name: path.slice(at + 1) }
}

/** The path of a name in a folder, as `splitPath` gives them. */
export function joinPath(folder: string, name: string): string {
  return folder === '' || folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`
}

/** Whether a path names files by a pattern: a star in the name stands for any characters. */
export const isStarred = (path: string): boolean => path.includes('*')

/**
 * Whether a name is one of those that a pattern means. A star also stands for nothing. A name that begins with a dot is
 * hidden: only a pattern that begins with one means it. The time grows with both lengths alone, whatever a pattern is.
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
