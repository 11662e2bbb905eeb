import type { FileLeaf } from '#contract/files/files.ts'

const KINDS: Readonly<Record<string, string>> = {
  'application/pdf': 'PDF',
  'application/zip': 'Archive or office file',
  'application/gzip': 'Archive',
  'application/xml': 'XML',
  'application/octet-stream': 'File',
  'application/vnd.microsoft.portable-executable': 'Program',
  'image/svg+xml': 'SVG picture',
  'image/x-icon': 'ICO picture',
  'text/html': 'Web page',
  'text/plain': 'Text',
}
const FAMILIES: Readonly<Record<string, string>> = { image: 'picture', video: 'video', audio: 'sound' }

/** "PNG picture", "PDF", "Text": what a file is, for people. */
export function kindOf({ type }: Pick<FileLeaf, 'type'>): string {
  const known = KINDS[type]
  if (known !== undefined) return known
  const [family = '', form = ''] = type.split('/')
  const word = FAMILIES[family]
  return word === undefined ? 'File' : `${form.toUpperCase()} ${word}`
}

/** What a browser shows as a picture. */
const SHOWN = new Set(
  ['png', 'jpeg', 'gif', 'webp', 'avif', 'svg+xml', 'x-icon'].map((kind) => `image/${kind}`),
)

/** For the button that takes pictures. Not every system knows what an icon is by its type. */
export const ACCEPTED_PICTURES = [...SHOWN, '.ico'].join(',')

export function isPicture({ type }: Pick<FileLeaf, 'type'>): boolean {
  return SHOWN.has(type)
}

/** The folders on the way to a path, the first at the top, the last is the path itself; none for the top. */
export function wayTo(path: string): { path: string; name: string }[] {
  const names = path === '' ? [] : path.split('/')
  return names.map((name, at) => ({ name, path: names.slice(0, at + 1).join('/') }))
}

/** Those whose name has every word that is looked for, without case. */
export function findNamed<Item extends { name: string }>(items: readonly Item[], search: string): Item[] {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return items.filter(({ name }) => words.every((word) => name.toLocaleLowerCase().includes(word)))
}
